// Columns of nulls.
import { Column } from "./column.js";

export class NullColumn extends Column {
  shares() {
    return true;
  }

  selects() {
    return false;
  }
}

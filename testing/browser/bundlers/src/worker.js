// Reads a file in a module worker.
import { open } from "fletching-arrow-ipc";

onmessage = async ({ data }) => {
  try {
    const file = await open(data);
    postMessage([file.numRows, await file.rows({ where: "id = 3", as: "json" }).toArray()]);
    file.free();
  } catch (error) {
    postMessage(String(error.stack));
  }
};

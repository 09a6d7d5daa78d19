// Parts of the page viewer.html that need no browser. `testing/browser` tests the page as a whole.
import assert from "node:assert/strict";
import { test } from "node:test";

import { extensionWords } from "../viewer/src/heads.js";

test("extension types whose parameters are no texts and numbers have words, too", () => {
  const words = (extension, metadata) => extensionWords({ extension, metadata: metadata === undefined ? [] : [["ARROW:extension:metadata", metadata]] });
  const tensor = "arrow.fixed_shape_tensor";
  assert.equal(words(tensor, '{"shape":[2,3]}'), `tensors of shape 2 × 3 (${tensor})`);
  for (const metadata of [undefined, '{"shape":[{"toString":1,"valueOf":1}]}', "[", "null", "7"]) {
    assert.equal(words(tensor, metadata), `tensors of one shape (${tensor})`, metadata);
  }
  const opaque = '{"type_name":"t","vendor_name":{"toString":1}}';
  assert.equal(words("arrow.opaque", opaque), "values of a type that Arrow does not have (arrow.opaque)");
});

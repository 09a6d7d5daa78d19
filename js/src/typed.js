// Typed arrays and memory. Those of other realms, such as frames and contexts of `vm`, have other classes, and some have classes of their own.

const { get: nameOf } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const ELEMENTS = new Map([
  ["Int8Array", "int8"],
  ["Uint8Array", "uint8"],
  ["Uint8ClampedArray", "uint8"],
  ["Int16Array", "int16"],
  ["Uint16Array", "uint16"],
  ["Int32Array", "int32"],
  ["Uint32Array", "uint32"],
  ["Float32Array", "float32"],
  ["Float64Array", "float64"],
  ["BigInt64Array", "int64"],
  ["BigUint64Array", "uint64"],
]);

/** The name of the elements of a typed array; undefined for everything else. */
export const elementType = (values) => (ArrayBuffer.isView(values) ? ELEMENTS.get(nameOf.call(values)) : undefined);

/** Whether something is a `Uint8Array`, such as a `Buffer`. */
export const isBytes = (value) => value instanceof Uint8Array || (ArrayBuffer.isView(value) && nameOf.call(value) === "Uint8Array");

const MEMORY = ["[object ArrayBuffer]", "[object SharedArrayBuffer]"];

/** Whether something is memory. */
export const isMemory = (from) => MEMORY.includes(Object.prototype.toString.call(from));

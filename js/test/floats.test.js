// The text of floating-point numbers, compared with exact fractions: crates/arrow-text/NOTATION.md.
import assert from "node:assert/strict";
import { test } from "node:test";

import { floatText } from "../src/values.js";

const WIDTHS = { 2: { bits: 16, n_fraction_bits: 10, bias: 15 }, 4: { bits: 32, n_fraction_bits: 23, bias: 127 }, 8: { bits: 64, n_fraction_bits: 52, bias: 1023 } };

/** A number by its bits without a sign, as a whole number of the least one. */
function wholeOf(bits, { n_fraction_bits }) {
  const exponent = bits >> BigInt(n_fraction_bits);
  const fraction = bits & ((1n << BigInt(n_fraction_bits)) - 1n);
  return exponent === 0n ? fraction : (fraction | (1n << BigInt(n_fraction_bits))) << (exponent - 1n);
}

/** The shortest digits and their power of ten, by the definition. */
function expected(bits, width) {
  const of = WIDTHS[width];
  const [below, number, above] = [bits - 1n, bits, bits + 1n].map((bits) => wholeOf(bits, of));
  const least = of.bias - 1 + of.n_fraction_bits;
  // All are multiples of half of 2^−least, which is 5^n · 10^−n.
  const n = least + 1;
  const scale = 5n ** BigInt(n);
  const [lower, value, upper] = [below + number, 2n * number, number + above].map((whole) => whole * scale);
  const isSame = (other) => (bits % 2n === 0n ? lower <= other && other <= upper : lower < other && other < upper);
  for (let power = String(value).length; ; power--) {
    const unit = 10n ** BigInt(power);
    const found = [value / unit, value / unit + 1n].filter((integer) => isSame(integer * unit));
    if (found.length === 0) continue;
    const [a, b = a] = found.map((integer) => ({ integer, distance: value > integer * unit ? value - integer * unit : integer * unit - value }));
    const isFirst = a.distance < b.distance || (a.distance === b.distance && a.integer % 2n === 0n);
    return normal((isFirst ? a : b).integer, power - n);
  }
}

function normal(integer, power) {
  while (integer % 10n === 0n) [integer, power] = [integer / 10n, power + 1];
  return `${integer}e${power}`;
}

function written(text) {
  const [, whole, fraction, exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text);
  assert.ok(text.includes(".") || text.includes("e"), text);
  return normal(BigInt(whole + (fraction ?? "")), Number(exponent) - (fraction ?? "").length);
}

/** The number by its bits: whole numbers of the least one are exact in 64 bits, as they have few bits. */
const numberOf = (bits, { n_fraction_bits, bias }) => Number(wholeOf(bits, { n_fraction_bits })) * 2 ** -(bias - 1 + n_fraction_bits);

function check(bits, width) {
  const of = WIDTHS[width];
  let number = numberOf(bits, of);
  if (width === 8) number = new Float64Array(BigUint64Array.of(bits).buffer)[0];
  if (number === 0 || !Number.isFinite(number)) return;
  const text = floatText(number, width);
  assert.equal(written(text), expected(bits, width), `${number} in ${of.bits} bits`);
  assert.equal(floatText(-number, width), `-${text}`);
}

test("all numbers of 16 bits have the fewest digits, the nearest, the even ones", () => {
  for (let bits = 1n; bits < 0x7c00n; bits++) check(bits, 2);
  assert.equal(floatText(62.625, 2), "62.62");
  assert.equal(floatText(-58.625, 2), "-58.62");
});

test("numbers of 32 bits have the fewest digits, the nearest, the even ones", () => {
  for (let exponent = 0n; exponent < 255n; exponent++) {
    for (const fraction of [0n, 1n, 2n, 12_345n, 1n << 22n, (1n << 23n) - 1n]) check((exponent << 23n) | fraction, 4);
  }
  // Many of these are half way between two texts.
  const numbers = Float32Array.from({ length: 4_000 }, (_, i) => (i % 2 === 0 ? 1_048_576 + (2 * i + 1) / 32 : i * 0.1));
  for (const bits of new Uint32Array(numbers.buffer)) check(BigInt(bits), 4);
  let random = 88_172_645_463_325_252n;
  for (let i = 0; i < 4_000; i++) {
    random = BigInt.asUintN(64, random ^ (random << 13n));
    random ^= random >> 7n;
    random = BigInt.asUintN(64, random ^ (random << 17n));
    check(random & 0x7fff_ffffn, 4);
  }
});

test("numbers of 64 bits have the fewest digits, the nearest, the even ones", () => {
  for (let exponent = 0n; exponent < 2047n; exponent += 13n) {
    for (const fraction of [0n, 1n, (1n << 52n) - 1n]) check((exponent << 52n) | fraction, 8);
  }
  const numbers = Float64Array.from({ length: 1_000 }, (_, i) => 2 ** 50 + i / 4);
  for (const bits of new BigUint64Array(numbers.buffer)) check(bits, 8);
});

test("numbers that are not finite, and zeros", () => {
  for (const width of [2, 4, 8]) {
    for (const [number, text] of [[0, "0.0"], [-0, "-0.0"], [NaN, "NaN"], [Infinity, "Infinity"], [-Infinity, "-Infinity"], [1, "1.0"], [1024, "1024.0"], [0.0625, "0.0625"]]) {
      assert.equal(floatText(number, width), text);
    }
  }
});

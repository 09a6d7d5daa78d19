//! Single values of fixed width, as little-endian bytes: first the extremes of a type, then random values.

use super::Dice;
use half::f16;
use rs_buffer::i256;
use rs_schema::{DataType, IntervalUnit, TimeUnit};

const FLOATS: [f64; 13] = [0.0, -0.0, 1.0, -1.5, 0.1, 1.0 / 3.0, 1e-4, 9e-5, 65504.0, 1e15, 1e16, 1e30, 6e-8];
/// 1 January 0000, the day before, 31 December 9999, the day after, a leap day, and the last day of February in a year
/// without one.
const DAYS: [i64; 6] = [-719_528, -719_529, 2_932_896, 2_932_897, 11_016, -25_510];
const SECONDS_PER_DAY: i64 = 86_400;
const MILLISECONDS_PER_DAY: i64 = 86_400_000;

pub(super) fn fixed_value(dice: &mut Dice, data_type: &DataType, slot: usize) -> Vec<u8> {
    use DataType::*;
    let edges = |edges: Vec<i64>, random: i64| edges.get(slot).copied().unwrap_or(random);
    match data_type {
        Float16 => f16::from_f64(float_at(dice, slot, 65504.0)).to_le_bytes().to_vec(),
        Float32 => (float_at(dice, slot, f32::MAX.into()) as f32).to_le_bytes().to_vec(),
        Float64 => float_at(dice, slot, f64::MAX).to_le_bytes().to_vec(),
        FixedSizeBinary(n_bytes) => dice.bytes(*n_bytes as usize),
        Interval(unit) => interval_at(dice, *unit, slot),
        Decimal32(precision, _) => decimal_at(dice, *precision, slot).to_le_bytes()[..4].to_vec(),
        Decimal64(precision, _) => decimal_at(dice, *precision, slot).to_le_bytes()[..8].to_vec(),
        Decimal128(precision, _) => decimal_at(dice, *precision, slot).to_le_bytes()[..16].to_vec(),
        Decimal256(precision, _) => decimal_at(dice, *precision, slot).to_le_bytes().to_vec(),
        Date32 => {
            let random = dice.u64() as i32;
            let known = [&[0, 1, -1, i32::MIN.into(), i32::MAX.into()], &DAYS[..]].concat();
            (edges(known, random.into()) as i32).to_le_bytes().to_vec()
        }
        Date64 => {
            let (low, high) = (i64::MIN / MILLISECONDS_PER_DAY, i64::MAX / MILLISECONDS_PER_DAY);
            let random = (dice.u64() as i64) / MILLISECONDS_PER_DAY;
            (edges([&[0, 1, -1, low, high], &DAYS[..]].concat(), random) * MILLISECONDS_PER_DAY)
                .to_le_bytes()
                .to_vec()
        }
        Time32(unit) | Time64(unit) => {
            let n_ticks = SECONDS_PER_DAY * ticks_per_second(*unit);
            let random = dice.below(n_ticks as u64) as i64;
            let width = data_type.primitive_width().expect("times have a width");
            edges(vec![0, 1, n_ticks - 1, n_ticks / 2], random).to_le_bytes()[..width].to_vec()
        }
        Timestamp(unit, _) => {
            let second = ticks_per_second(*unit);
            let random = dice.below(8_000_000_000) as i64 - 4_000_000_000;
            let days = DAYS.iter().map(|day| day.saturating_mul(SECONDS_PER_DAY * second));
            let known = [0, 1, -1, i64::MIN, i64::MAX].into_iter();
            let known = known.chain(days.flat_map(|day| [day, day.saturating_sub(1)])).collect();
            let ticks = random.saturating_mul(second).saturating_add(dice.below(second as u64) as i64);
            edges(known, ticks).to_le_bytes().to_vec()
        }
        Duration(_) | Int64 => {
            let random = dice.u64() as i64;
            edges(vec![0, 1, -1, i64::MIN, i64::MAX, i64::MIN + 1, i64::MAX - 1], random)
                .to_le_bytes()
                .to_vec()
        }
        UInt8 | UInt16 | UInt32 | UInt64 | Int8 | Int16 | Int32 => {
            // All ones is -1 or the highest value; a lone high bit the lowest, its complement the highest signed one.
            let width = data_type.primitive_width().expect("integers have a width");
            let high_bit = 1_u64 << (8 * width - 1);
            let random = dice.u64();
            let value = [0, 1, u64::MAX, high_bit, high_bit - 1].get(slot).copied().unwrap_or(random);
            value.to_le_bytes()[..width].to_vec()
        }
        _ => unreachable!("{data_type} has no fixed width"),
    }
}

fn float_at(dice: &mut Dice, slot: usize, most: f64) -> f64 {
    let edges = [most, -most, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let random = (dice.below(1 << 20) as f64 - f64::from(1 << 19)) / 1000.0;
    // Powers of two, whose lower neighbour is nearer than the upper one.
    let powers = [-14, -24, -44].map(|exponent| 2_f64.powi(exponent));
    let value = FLOATS.iter().chain(&powers).chain(&edges).nth(slot).copied().unwrap_or(random);
    // A value that the width cannot hold becomes its largest.
    if value.is_finite() { value.clamp(-most, most) } else { value }
}

fn decimal_at(dice: &mut Dice, precision: u8, slot: usize) -> i256 {
    let ten_to =
        |exponent: u8| (0..exponent).fold(i256::ONE, |power, _| power.wrapping_mul(i256::from_i128(10)));
    let most = ten_to(precision).wrapping_sub(i256::ONE);
    let wide = (0..4).fold(i256::ZERO, |sum, _| {
        sum.wrapping_mul(i256::from_i128(1 << 64)).wrapping_add(i256::from_i128(dice.u64().into()))
    });
    let random = wide.wrapping_rem(ten_to(precision));
    let edges = [i256::ZERO, i256::ONE, i256::MINUS_ONE, most, most.wrapping_neg()];
    edges.get(slot).copied().unwrap_or(random)
}

fn interval_at(dice: &mut Dice, unit: IntervalUnit, slot: usize) -> Vec<u8> {
    let edges =
        [(0, 0, 0), (1, -1, 1), (i32::MIN, i32::MAX, i64::MIN), (i32::MAX, i32::MIN, i64::MAX), (-1, 1, -1)];
    let mut random = || dice.below(2000) as i32 - 1000;
    let random = (random(), random(), random().into());
    let (first, second, wide) = edges.get(slot).copied().unwrap_or(random);
    let (first, second, wide) = (first.to_le_bytes(), second.to_le_bytes(), wide.to_le_bytes());
    match unit {
        IntervalUnit::YearMonth => first.to_vec(),
        IntervalUnit::DayTime => [first, second].concat(),
        IntervalUnit::MonthDayNano => [&first[..], &second, &wide].concat(),
    }
}

fn ticks_per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

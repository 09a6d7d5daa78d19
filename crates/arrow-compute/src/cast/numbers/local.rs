//! Casts between instants and the local times of a zone.

use arrow_array::{LocalTime, TimeZones, ZoneRules};
use arrow_schema::DataType;

use super::{CastErrorKind, CastFailure, CastResult, DAY_NANOSECONDS, NumberKind, Ratio};

const SECOND_NANOSECONDS: i128 = 1_000_000_000;

/// The rules of a zone, for times in units of `nanoseconds`.
#[derive(Debug, Clone)]
struct ZonedUnit {
    rules: ZoneRules,
    /// The number of ticks in a second.
    per_second: i128,
}

impl ZonedUnit {
    /// The number of ticks in an offset from UTC.
    fn ticks(&self, offset: i32) -> Option<i128> {
        i128::from(offset).checked_mul(self.per_second)
    }

    /// The second that contains a tick.
    fn second(&self, tick: i128) -> Option<i64> {
        tick.checked_div_euclid(self.per_second).and_then(|second| i64::try_from(second).ok())
    }
}

/// The rules of a zone, or an error if it is unknown.
fn rules(zone: &str, zones: TimeZones) -> CastResult<ZoneRules> {
    Ok(zones.find(zone).ok_or_else(|| CastErrorKind::UnknownZone { zone: zone.to_owned() })?)
}

/// A cast of timestamps that drops the zone, the day, or both.
#[derive(Debug, Clone)]
pub(super) struct PartOfInstant {
    ratio: Ratio,
    /// The number of ticks in a day, if the cast only keeps the time of day.
    day: Option<i128>,
    /// The zone, unless it is UTC or missing.
    zone: Option<ZonedUnit>,
}

impl PartOfInstant {
    /// `None` if the cast drops nothing or does not exist. Without rules, it does not exist for zones other than UTC, since the
    /// local day and time are not known.
    ///
    /// # Errors
    /// If the zone is unknown.
    pub(super) fn try_new(
        from: &DataType,
        to: &DataType,
        zones: Option<TimeZones>,
    ) -> CastResult<Option<PartOfInstant>> {
        let Some((_, zone)) = from.as_timestamp() else { return Ok(None) };
        let Some(NumberKind::Instant { nanoseconds, .. }) = NumberKind::from_data_type(from) else {
            return Ok(None);
        };
        let (new, day) = match NumberKind::from_data_type(to) {
            Some(NumberKind::Time { nanoseconds: new, is_duration: false }) => {
                (new, DAY_NANOSECONDS.checked_div(nanoseconds))
            }
            Some(NumberKind::Instant { nanoseconds: new, has_zone: false }) if zone.is_some() => (new, None),
            Some(
                NumberKind::Instant { .. }
                | NumberKind::Time { .. }
                | NumberKind::Number { .. }
                | NumberKind::Float,
            )
            | None => return Ok(None),
        };
        let zone = match (zone, zones) {
            (None | Some("UTC"), _) => None,
            (Some(_), None) => return Ok(None),
            (Some(zone), Some(zones)) => {
                let per_second = SECOND_NANOSECONDS.checked_div(nanoseconds).unwrap_or(1);
                Some(ZonedUnit { rules: rules(zone, zones)?, per_second })
            }
        };
        Ok(Some(PartOfInstant { ratio: Ratio::from_units(nanoseconds, new), day, zone }))
    }

    /// What the cast drops.
    pub(super) fn part(&self) -> &'static str {
        if self.day.is_some() { "day" } else { "zone" }
    }

    /// Converts a tick to the unit of the new type, without the day or the time of day that the type cannot store.
    pub(super) fn leave(&self, tick: i128, to: &DataType) -> Option<i128> {
        const DAY: i128 = 86_400_000;
        let tick = match &self.zone {
            None => tick,
            Some(zone) => tick.checked_add(zone.ticks(zone.rules.offset_at(zone.second(tick)?))?)?,
        };
        let tick = self.day.map_or(Some(tick), |day| tick.checked_rem_euclid(day))?;
        let tick = match self.ratio {
            Ratio::Times(factor) => tick.checked_mul(factor)?,
            Ratio::By(divisor) => tick.checked_div_euclid(divisor)?,
        };
        if *to == DataType::Date64 { tick.checked_sub(tick.rem_euclid(DAY)) } else { Some(tick) }
    }
}

/// A cast of local times to the instants at which clocks of a zone show them.
#[derive(Debug)]
pub(super) struct LocalTimes {
    ratio: Ratio,
    zone: ZonedUnit,
}

impl LocalTimes {
    /// `None` if the cast is another one, or if no rules are known.
    ///
    /// # Errors
    /// If the zone is unknown.
    pub(super) fn try_new(
        from: &DataType,
        to: &DataType,
        zones: Option<TimeZones>,
    ) -> CastResult<Option<LocalTimes>> {
        let (Some(zones), Some((_, Some(zone)))) = (zones, to.as_timestamp()) else { return Ok(None) };
        let (
            Some(NumberKind::Instant { nanoseconds, has_zone: false }),
            Some(NumberKind::Instant { nanoseconds: new, .. }),
        ) = (NumberKind::from_data_type(from), NumberKind::from_data_type(to))
        else {
            return Ok(None);
        };
        let per_second = SECOND_NANOSECONDS.checked_div(new).unwrap_or(1);
        let zone = ZonedUnit { rules: rules(zone, zones)?, per_second };
        Ok(Some(LocalTimes { ratio: Ratio::from_units(nanoseconds, new), zone }))
    }

    /// The factor or divisor for the unit of the new type.
    pub(super) fn ratio(&self) -> Ratio {
        self.ratio
    }

    /// The instant at which clocks show a local time. If there are none or two, `chooses` counts it, and returns whether one may be
    /// chosen.
    pub(super) fn instant(&self, local: i128, chooses: impl FnOnce() -> bool) -> Result<i128, CastFailure> {
        let second = self.zone.second(local).ok_or(CastFailure::Range)?;
        let (offset, is_repeated) = match self.zone.rules.local_time(second) {
            LocalTime::Once { offset } => (offset, None),
            // As much later as clocks are set forward.
            LocalTime::Skipped { before, .. } => (before, Some(false)),
            LocalTime::Repeated { first, .. } => (first, Some(true)),
        };
        if let Some(is_repeated) = is_repeated
            && !chooses()
        {
            return Err(CastFailure::Local { is_repeated });
        }
        self.zone.ticks(offset).and_then(|ticks| local.checked_sub(ticks)).ok_or(CastFailure::Range)
    }
}

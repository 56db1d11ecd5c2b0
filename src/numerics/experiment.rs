//! The precision experiment: the same small update added to a weight again and again.

use super::error::InvalidInput;
use super::format::Format;
use super::rounding::{Rounding, add, round_to};
use super::stored::Stored;

/// Most additions one experiment performs.
pub const MAX_STEPS: u64 = 1_000_000_000;

/// Most points of one curve.
pub const MAX_POINTS: usize = 100_000;

/// Whether a more precise copy of the weight takes the updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Master {
    /// The stored weight itself is updated.
    None,
    /// An fp32 copy is updated, and the stored weight is that copy rounded.
    Fp32,
}

impl Master {
    /// Both ways.
    pub const ALL: [Master; 2] = [Master::None, Master::Fp32];

    /// The name for links and data.
    pub const fn id(self) -> &'static str {
        match self {
            Master::None => "none",
            Master::Fp32 => "fp32",
        }
    }

    /// The way with this [`id`](Self::id).
    ///
    /// # Errors
    /// When there is none; the message lists both.
    pub fn from_id(id: &str) -> Result<Self, InvalidInput> {
        Self::ALL.into_iter().find(|master| master.id() == id).ok_or_else(|| {
            InvalidInput::new("master", format!("{id:?}"), Self::ALL.map(|master| master.id()).join(", "))
        })
    }
}

/// A weight, an update, and how often it is added.
///
/// The update is an fp32 number, as in optimisers, which compute it in fp32 whatever the weight is stored in. Each
/// sum is formed exactly and rounded once. A master copy is added to as hardware does it, to nearest, and `rounding`
/// decides how it is cut down to the stored weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// What the weight is stored in.
    pub format: Format,
    /// The weight before the first addition. It must be finite in `format`.
    pub weight: f64,
    /// What is added each time. It must be finite in fp32.
    pub update: f64,
    /// How many additions: 1 to [`MAX_STEPS`].
    pub steps: u64,
    /// How a sum is rounded into `format`.
    pub rounding: Rounding,
    /// Whether an fp32 copy takes the updates.
    pub master: Master,
    /// How many points of the curve to answer at most: 2 to [`MAX_POINTS`].
    pub points: usize,
}

/// The weight after some additions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Additions so far.
    pub step: u64,
    /// The stored weight. Infinite or NaN once the format has overflowed.
    pub value: f64,
    /// The master copy, where there is one.
    pub master: Option<f64>,
}

/// What came of an [`Experiment`].
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The weight as first stored.
    pub start: Stored,
    /// The update as fp32 holds it; 0 when it was too small for that.
    pub update: f64,
    /// The weight as last stored.
    pub end: Stored,
    /// What exact arithmetic would have reached from the same start: `start + steps × update`.
    pub exact: f64,
    /// Additions that changed the bits of what was added to: the master copy where there is one, else the weight.
    pub changed_steps: u64,
    /// Additions after which what was added to never changed again, if that happened before the last.
    pub stuck_after: Option<u64>,
    /// The curve, evenly spaced in steps, the first and the last always among them; exact at each of its points.
    pub points: Vec<Point>,
}

/// Runs the experiment.
///
/// Takes time with the number of points and of binades crossed, not with the number of steps (see `Walk`).
///
/// # Errors
/// Names the field that is not finite where it must be, or out of range.
pub fn experiment(experiment: Experiment) -> Result<Series, InvalidInput> {
    let Experiment { format, weight, update, steps, rounding, master, points } = experiment;
    let start = round_to(format, weight, rounding);
    if !start.is_finite() {
        let allowed = format!("finite numbers up to ±{:e} in {}", format.max_finite(), format.name());
        return Err(InvalidInput::new("weight", weight, allowed));
    }
    let held_update = round_to(Format::Fp32, update, Rounding::NearestEven);
    if !held_update.is_finite() {
        let allowed = format!("finite numbers up to ±{:e}", Format::Fp32.max_finite());
        return Err(InvalidInput::new("update", update, allowed));
    }
    if !(1..=MAX_STEPS).contains(&steps) {
        return Err(InvalidInput::new("steps", steps, format!("1 to {MAX_STEPS}")));
    }
    if !(2..=MAX_POINTS).contains(&points) {
        return Err(InvalidInput::new("points", points, format!("2 to {MAX_POINTS}")));
    }

    let update = held_update.value();
    let (added_to, addition) = match master {
        Master::None => (start, rounding),
        Master::Fp32 => (round_to(Format::Fp32, weight, Rounding::NearestEven), Rounding::NearestEven),
    };
    let mut walk = Walk { stored: added_to, update, rounding: addition, step: 0, changed: 0, stuck_after: None };
    let curve = sampled_steps(steps, points).map(|step| {
        walk.advance_to(step);
        match master {
            Master::None => Point { step, value: walk.stored.value(), master: None },
            Master::Fp32 => {
                let full = walk.stored.value();
                Point { step, value: round_to(format, full, rounding).value(), master: Some(full) }
            }
        }
    });
    let curve = curve.collect();
    let end = match master {
        Master::None => walk.stored,
        Master::Fp32 => round_to(format, walk.stored.value(), rounding),
    };
    Ok(Series {
        start,
        update,
        end,
        exact: added_to.value() + steps as f64 * update,
        changed_steps: walk.changed,
        stuck_after: walk.stuck_after,
        points: curve,
    })
}

/// At most `points` steps from 0 to `steps`, evenly spaced to the nearest whole step below.
fn sampled_steps(steps: u64, points: usize) -> impl Iterator<Item = u64> {
    let intervals = (points as u64 - 1).min(steps);
    // Steps and points are bounded far below where this product could leave u64.
    (0..=intervals).map(move |i| i * steps / intervals)
}

/// A stored value on its way through many additions.
///
/// Within one binade all values lie on one grid, so that every addition that stays inside moves the value by the same
/// whole number of grid points: the update's whole part, and its rest rounded the same way each time. Only an exact
/// half is decided by the value's last bit, and its first addition makes that bit 0 for good. So after two additions
/// on a grid the rest of it is taken in one leap, and each end of it is stepped over singly.
struct Walk {
    stored: Stored,
    update: f64,
    rounding: Rounding,
    step: u64,
    changed: u64,
    stuck_after: Option<u64>,
}

impl Walk {
    fn advance_to(&mut self, target: u64) {
        while self.step < target {
            if self.stuck_after.is_some() {
                self.step = target;
                return;
            }
            if self.move_on_grid().is_some()
                && self.step < target
                && let Some(stride) = self.move_on_grid()
            {
                self.leap(stride, target);
            }
        }
    }

    /// One addition. Answers by how many grid points the magnitude moved, if both ends lie on one grid and the exact
    /// sum surely does so too.
    fn move_on_grid(&mut self) -> Option<i64> {
        let before = self.stored;
        // Infinity and NaN stay what they are; adding to a NaN would only put its sign in doubt.
        let after = if before.is_finite() { add(before, self.update, self.rounding) } else { before };
        if after == before {
            self.stuck_after = Some(self.step);
            return None;
        }
        self.stored = after;
        self.step += 1;
        self.changed += 1;
        let (lowest, highest) = grid(before);
        // At the lowest point the sum may have come from the finer grid below.
        let inside = lowest < after.magnitude() && after.magnitude() <= highest;
        let same_sign = before.is_sign_negative() == after.is_sign_negative();
        (inside && same_sign).then(|| i64::from(after.magnitude()) - i64::from(before.magnitude()))
    }

    /// As many additions of `stride` grid points as stay strictly inside the grid and do not pass `target`.
    fn leap(&mut self, stride: i64, target: u64) {
        let (lowest, highest) = grid(self.stored);
        let at = self.stored.magnitude();
        let room = if stride > 0 { highest - at } else { at.saturating_sub(lowest + 1) };
        let leaps = (u64::from(room) / stride.unsigned_abs()).min(target - self.step);
        let moved = i64::from(at) + stride * leaps as i64;
        self.stored = Stored::from_parts(self.stored.format(), self.stored.is_sign_negative(), moved as u32);
        self.step += leaps;
        self.changed += leaps;
    }
}

/// The first and the last magnitude on the grid that a finite value lies on. Subnormals share the first binade's.
fn grid(stored: Stored) -> (u32, u32) {
    let mantissa_bits = stored.format().mantissa_bits();
    let binade = stored.magnitude() >> mantissa_bits;
    let lowest = if binade <= 1 { 0 } else { binade << mantissa_bits };
    let highest = (binade.max(1) + 1) << mantissa_bits;
    (lowest, (highest - 1).min(stored.format().max_finite_magnitude()))
}

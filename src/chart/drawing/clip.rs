//! The parts of a curve that can be seen.

use super::layout::Rect;
use super::scale::Scale;

/// Cuts a curve at the edges of the plot and at its holes, into runs of connected values inside.
///
/// Cutting is done where both axes are straight, so that a line leaves the plot where it would have left it unseen.
pub fn visible(x: &Scale, y: &Scale, curve: impl Iterator<Item = (f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    // Whether the last run ends at `before`, so that the next piece goes on from it.
    let mut open = false;
    for (value_x, value_y) in curve {
        let Some(here) = x.share(value_x).zip(y.share(value_y)) else {
            (before, open) = (None, false);
            continue;
        };
        if let Some(there) = before {
            match inside(there, here) {
                Some((from, to)) => {
                    let value = |at: (f64, f64)| (x.value_at(at.0), y.value_at(at.1));
                    match runs.last_mut() {
                        Some(run) if open => run.push(value(to)),
                        _ => runs.push(vec![value(from), value(to)]),
                    }
                    open = to == here;
                }
                None => open = false,
            }
        }
        before = Some(here);
    }
    runs
}

/// Whether a straight piece passes through a rectangle of the drawing.
pub fn crosses(from: (i32, i32), to: (i32, i32), rect: &Rect) -> bool {
    let across = |at: i32, low: i32, high: i32| f64::from(at - low) / f64::from(high - low);
    let share = |at: (i32, i32)| (across(at.0, rect.left, rect.right), across(at.1, rect.top, rect.bottom));
    inside(share(from), share(to)).is_some()
}

/// The part of a straight piece that lies in the unit square, by Liang and Barsky's method.
fn inside(from: (f64, f64), to: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (towards, room) in [(-dx, from.0), (dx, 1.0 - from.0), (-dy, from.1), (dy, 1.0 - from.1)] {
        if towards == 0.0 {
            if room < -1e-9 {
                return None;
            }
        } else if towards < 0.0 {
            enter = enter.max(room / towards);
        } else {
            leave = leave.min(room / towards);
        }
    }
    let at = |t: f64| if t >= 1.0 { to } else { (from.0 + dx * t, from.1 + dy * t) };
    (enter <= leave).then(|| (at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Spread;

    const UNIT: Scale = Scale { spread: Spread::Linear, low: 0.0, high: 1.0 };

    fn cut(points: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        visible(&UNIT, &UNIT, points.iter().copied())
    }

    #[test]
    fn a_curve_inside_is_one_run() {
        let curve = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.25)];
        assert_eq!(cut(&curve), [curve.to_vec()]);
    }

    #[test]
    fn a_curve_is_cut_where_it_leaves_and_enters() {
        assert_eq!(cut(&[(0.0, 0.5), (0.5, 1.5), (1.0, 0.5)]), [[(0.0, 0.5), (0.25, 1.0)], [(0.75, 1.0), (1.0, 0.5)]]);
        assert_eq!(cut(&[(-1.0, 0.5), (2.0, 0.5)]), [[(0.0, 0.5), (1.0, 0.5)]]);
        assert!(cut(&[(-1.0, 0.5), (0.5, 2.5)]).is_empty());
        assert!(cut(&[(0.0, -0.5), (1.0, -0.5)]).is_empty());
    }

    #[test]
    fn what_has_no_place_leaves_a_hole() {
        let curve = [(0.0, 0.0), (0.2, 0.2), (0.4, f64::NAN), (0.6, 0.6), (1.0, 1.0)];
        assert_eq!(cut(&curve), [[(0.0, 0.0), (0.2, 0.2)], [(0.6, 0.6), (1.0, 1.0)]]);
        let log = Scale { spread: Spread::Log10, low: 1.0, high: 100.0 };
        let runs = visible(&log, &log, [(1.0, 0.0), (1.0, 1.0), (10.0, 10.0)].into_iter());
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].len(), 2);
    }

    #[test]
    fn a_piece_crosses_what_it_passes_through() {
        let rect = Rect { left: 10, top: 10, right: 20, bottom: 30 };
        assert!(crosses((0, 0), (30, 40), &rect));
        assert!(crosses((12, 12), (14, 14), &rect));
        assert!(!crosses((0, 0), (9, 40), &rect));
        assert!(!crosses((0, 25), (12, 40), &rect));
    }

    #[test]
    fn a_line_in_log_space_is_cut_on_its_straight_course() {
        let log = Scale { spread: Spread::Log10, low: 1.0, high: 100.0 };
        let runs = visible(&log, &log, [(1.0, 10.0), (100.0, 1000.0)].into_iter());
        let (x, y) = runs[0][1];
        assert!((x - 10.0).abs() < 1e-9 && (y - 100.0).abs() < 1e-9, "{x} {y}");
    }
}

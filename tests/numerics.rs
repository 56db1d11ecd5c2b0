//! Number formats, rounding and the precision experiment: known points, refusals and properties.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use vram_ledger::numerics::{
    Experiment, Format, MAX_POINTS, MAX_STEPS, Master, Point, Rounding, Series, Specials, Stored, add, experiment,
    round_to,
};

use Rounding::{NearestEven, Truncation};

/// 1.0, ten thousand times 1e-4, in bf16: the opening state of the experiment.
const OPENING: Experiment = Experiment {
    format: Format::Bf16,
    weight: 1.0,
    update: 1e-4,
    steps: 10_000,
    rounding: NearestEven,
    master: Master::None,
    points: 101,
};

fn run(with: Experiment) -> Series {
    experiment(with).expect("a valid experiment")
}

fn nearest(format: Format, value: f64) -> f64 {
    round_to(format, value, NearestEven).value()
}

fn truncated(format: Format, value: f64) -> f64 {
    round_to(format, value, Truncation).value()
}

#[test]
fn layouts_are_those_of_the_standards() {
    // name, sign + exponent + mantissa, bias, bytes
    let expected = [
        (Format::Fp32, "FP32", "fp32", 8, 23, 127, 4),
        (Format::Tf32, "TF32", "tf32", 8, 10, 127, 4),
        (Format::Bf16, "BF16", "bf16", 8, 7, 127, 2),
        (Format::Fp16, "FP16", "fp16", 5, 10, 15, 2),
        (Format::Fp8E4m3, "FP8 E4M3", "fp8-e4m3", 4, 3, 7, 1),
        (Format::Fp8E5m2, "FP8 E5M2", "fp8-e5m2", 5, 2, 15, 1),
    ];
    assert_eq!(expected.map(|row| row.0), Format::ALL);
    for (format, name, id, exponent, mantissa, bias, bytes) in expected {
        assert_eq!(
            (format.name(), format.id(), format.exponent_bits(), format.mantissa_bits(), format.bias(), format.bytes()),
            (name, id, exponent, mantissa, bias, bytes)
        );
        assert_eq!(format.bits(), 1 + exponent + mantissa);
        assert_eq!(Format::from_id(id), Ok(format));
    }
    assert_eq!(Format::Fp8E4m3.specials(), Specials::NanOnly);
    assert_eq!(Format::Fp8E5m2.specials(), Specials::InfinityAndNan);
}

#[test]
fn ranges_are_those_of_the_standards() {
    // max finite, min normal, min subnormal, epsilon
    let expected = [
        (Format::Fp32, f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), 2f64.powi(-149), f64::from(f32::EPSILON)),
        (Format::Tf32, (2.0 - 2f64.powi(-10)) * 2f64.powi(127), 2f64.powi(-126), 2f64.powi(-136), 2f64.powi(-10)),
        (Format::Bf16, f64::from(f32::from_bits(0x7f7f_0000)), 2f64.powi(-126), 2f64.powi(-133), 2f64.powi(-7)),
        (Format::Fp16, 65504.0, 2f64.powi(-14), 2f64.powi(-24), 2f64.powi(-10)),
        (Format::Fp8E4m3, 448.0, 2f64.powi(-6), 2f64.powi(-9), 2f64.powi(-3)),
        (Format::Fp8E5m2, 57344.0, 2f64.powi(-14), 2f64.powi(-16), 2f64.powi(-2)),
    ];
    for (format, max, normal, subnormal, epsilon) in expected {
        assert_eq!(
            (format.max_finite(), format.min_normal(), format.min_subnormal(), format.epsilon()),
            (max, normal, subnormal, epsilon),
            "{}",
            format.name()
        );
        assert_eq!(round_to(format, 1.0, NearestEven).gap_above(), Some(epsilon));
        assert_eq!(round_to(format, 1.0, NearestEven).gap_below(), Some(epsilon / 2.0));
        assert_eq!(nearest(format, -max), -max);
    }
    assert_eq!(format!("{:.4e}", Format::Bf16.max_finite()), "3.3895e38");
    assert_eq!(Format::Bf16.epsilon(), 0.0078125);
}

#[test]
fn small_updates_vanish_in_bf16() {
    assert_eq!(nearest(Format::Bf16, 1.0 + 1e-3), 1.0);
    assert_eq!(nearest(Format::Bf16, 1.0 + 1e-4), 1.0);
    // Half of the gap is a tie and goes to the even neighbour, more goes up, and truncation never does.
    assert_eq!(nearest(Format::Bf16, 1.0 + 0.00390625), 1.0);
    assert_eq!(nearest(Format::Bf16, 1.0 + 0.0039063), 1.0078125);
    assert_eq!(nearest(Format::Bf16, 1.0078125 + 0.00390625), 1.015625);
    assert_eq!(truncated(Format::Bf16, 1.0 + 0.0078), 1.0);
    assert_eq!(truncated(Format::Bf16, -1.0 - 0.0078), -1.0);
}

#[test]
fn bits_are_shown_field_by_field() {
    let fields = |format, value| {
        let fields = round_to(format, value, NearestEven).bit_fields();
        format!("{} {} {}", fields.sign, fields.exponent, fields.mantissa)
    };
    assert_eq!(fields(Format::Fp32, 1.0001), "0 01111111 00000000000001101000111");
    assert_eq!(fields(Format::Tf32, -0.15625), "1 01111100 0100000000");
    assert_eq!(fields(Format::Bf16, 1.0), "0 01111111 0000000");
    assert_eq!(fields(Format::Fp16, -2.5), "1 10000 0100000000");
    assert_eq!(fields(Format::Fp8E4m3, 448.0), "0 1111 110");
    assert_eq!(fields(Format::Fp8E5m2, 57344.0), "0 11110 11");
    assert_eq!(fields(Format::Fp16, 2f64.powi(-24)), "0 00000 0000000001");
    assert_eq!(fields(Format::Fp8E4m3, -0.0), "1 0000 000");
}

#[test]
fn overflow_follows_each_format() {
    // The half-way point to what would be the next number decides; it is itself a tie.
    assert_eq!(nearest(Format::Fp16, 65519.99), 65504.0);
    assert_eq!(nearest(Format::Fp16, 65520.0), f64::INFINITY);
    assert_eq!(nearest(Format::Fp16, -65520.0), f64::NEG_INFINITY);
    assert_eq!(nearest(Format::Fp8E5m2, 61439.9), 57344.0);
    assert_eq!(nearest(Format::Fp8E5m2, 61440.0), f64::INFINITY);
    assert_eq!(nearest(Format::Fp8E4m3, 464.0), 448.0);
    assert!(nearest(Format::Fp8E4m3, 464.1).is_nan());
    assert_eq!(round_to(Format::Fp8E4m3, -1e9, NearestEven).to_bits(), 0xff);
    assert!(nearest(Format::Fp8E4m3, f64::INFINITY).is_nan());
    assert_eq!(nearest(Format::Bf16, 3.4e38), f64::INFINITY);
    for format in Format::ALL {
        assert_eq!(truncated(format, 1e300), format.max_finite());
        assert_eq!(truncated(format, -1e300), -format.max_finite());
        let largest = round_to(format, format.max_finite(), Truncation);
        assert_eq!(largest.gap_above(), None);
        assert!(largest.gap_below().is_some());
    }
}

#[test]
fn zero_nan_and_infinity_keep_their_sign() {
    for format in Format::ALL {
        for rounding in Rounding::ALL {
            for tiny in [0.0, 5e-324, 1e-60] {
                let (plus, minus) = (round_to(format, tiny, rounding), round_to(format, -tiny, rounding));
                assert_eq!((plus.to_bits(), minus.to_bits()), (0, 1 << (format.bits() - 1)));
                assert_eq!((plus.gap_above(), plus.gap_below()), (Some(format.min_subnormal()), None));
            }
            let nan = round_to(format, f64::NAN, rounding);
            assert!(nan.is_nan() && nan.value().is_nan() && !nan.is_finite());
            assert_eq!((nan.gap_above(), nan.gap_below()), (None, None));
            let infinite = round_to(format, f64::NEG_INFINITY, rounding);
            assert!(infinite.is_sign_negative());
            assert_eq!(infinite.is_nan(), format.specials() == Specials::NanOnly);
        }
    }
    assert_eq!(round_to(Format::Fp32, f64::NAN, NearestEven).to_bits() & 0x7fff_ffff, 0x7fc0_0000);
}

#[test]
fn subnormals_round_on_their_own_grid() {
    let least = Format::Fp16.min_subnormal();
    assert_eq!(nearest(Format::Fp16, 0.5 * least), 0.0);
    assert_eq!(nearest(Format::Fp16, 0.500001 * least), least);
    assert_eq!(nearest(Format::Fp16, 1.5 * least), 2.0 * least);
    assert_eq!(truncated(Format::Fp16, 1.999 * least), least);
    // The largest subnormal rounds up into the smallest normal number.
    assert_eq!(nearest(Format::Fp16, Format::Fp16.min_normal() - 0.25 * least), Format::Fp16.min_normal());
}

#[test]
fn every_bit_pattern_round_trips() {
    for format in Format::ALL.into_iter().filter(|format| format.bits() <= 19) {
        for bits in 0..1u32 << format.bits() {
            let stored = Stored::from_bits(format, bits).expect("within the width");
            assert_eq!(stored.to_bits(), bits);
            for rounding in Rounding::ALL {
                let again = round_to(format, stored.value(), rounding);
                if stored.is_nan() {
                    assert!(again.is_nan());
                } else {
                    assert_eq!(again, stored, "{} {bits:#x}", format.name());
                }
            }
            let fields = stored.bit_fields();
            let joined = fields.sign + &fields.exponent + &fields.mantissa;
            assert_eq!(u32::from_str_radix(&joined, 2), Ok(bits));
            assert_eq!(joined.len(), format.bits() as usize);
        }
    }
}

#[test]
fn ten_thousand_small_updates_arrive_in_fp32_and_vanish_in_bf16() {
    let full = run(Experiment { format: Format::Fp32, ..OPENING });
    // The same loop in the machine's own fp32.
    let by_machine = (0..10_000).fold(1.0f32, |weight, _| weight + 1e-4);
    assert_eq!(full.end.value(), f64::from(by_machine));
    assert!((full.end.value() - 2.0).abs() < 1e-3, "{}", full.end.value());
    assert_eq!((full.changed_steps, full.stuck_after), (10_000, None));

    let half = run(OPENING);
    assert_eq!(half.end.value(), 1.0);
    assert_eq!((half.changed_steps, half.stuck_after), (0, Some(0)));
    assert!(half.points.iter().all(|point| point.value == 1.0));
    assert!((half.exact - 2.0).abs() < 1e-6);

    let saved = run(Experiment { master: Master::Fp32, ..OPENING });
    assert_eq!(saved.end.value(), 2.0);
    assert_eq!(saved.changed_steps, 10_000);
    assert_eq!(saved.points[50].step, 5_000);
    assert_eq!(saved.points[50].value, 1.5);
    assert_eq!(saved.points[100].master, Some(f64::from(by_machine)));
}

#[test]
fn rounding_decides_which_way_a_weight_sticks() {
    // Truncation loses every small update away from zero, and makes a whole grid step of each one towards zero.
    let shrinking = Experiment { update: -1e-4, steps: 10, rounding: Truncation, ..OPENING };
    assert_eq!(run(shrinking).end.value(), 1.0 - 10.0 * 2f64.powi(-8));
    assert_eq!(run(Experiment { rounding: NearestEven, ..shrinking }).end.value(), 1.0);
    // An fp16 weight grows until the update is half of the gap above it.
    let growing = Experiment { format: Format::Fp16, weight: 0.0, update: 0.001, steps: MAX_STEPS, ..OPENING };
    let end = run(growing);
    assert_eq!(end.end.value(), 4.0);
    assert_eq!(end.end.gap_above(), Some(0.00390625));
    assert!(end.stuck_after.is_some_and(|step| step == end.changed_steps && step > 1000));
    // An E4M3 weight may only leave its range where an update is large enough to reach past the half-way point.
    let small = Experiment { format: Format::Fp8E4m3, weight: 384.0, update: 15.0, steps: 100, ..OPENING };
    assert_eq!(run(small).end.value(), 384.0);
    let large = run(Experiment { update: 17.0, ..small });
    assert!(large.end.is_nan());
    assert_eq!(large.stuck_after, Some(3));
}

#[test]
fn a_billion_steps_take_no_longer_than_the_points_asked_for() {
    let series = run(Experiment { format: Format::Fp32, weight: 0.0, update: 1e-3, steps: MAX_STEPS, ..OPENING });
    // From 2^15 on the gap is 0.0039, and the update is less than half of it.
    assert_eq!(series.end.value(), 32768.0);
    assert!(series.stuck_after.is_some());
    assert_eq!(series.points.len(), OPENING.points);
    assert_eq!(series.points.last(), Some(&Point { step: MAX_STEPS, value: 32768.0, master: None }));
}

#[test]
fn a_short_run_answers_every_step_once() {
    let series = run(Experiment { steps: 4, ..OPENING });
    assert_eq!(series.points.iter().map(|point| point.step).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn impossible_inputs_are_refused_with_what_is_allowed() {
    let message = |with: Experiment| experiment(with).expect_err("refused").to_string();
    assert_eq!(
        message(Experiment { format: Format::Fp8E4m3, weight: 1000.0, ..OPENING }),
        "weight: 1000 was given; allowed: finite numbers up to ±4.48e2 in FP8 E4M3"
    );
    assert_eq!(
        message(Experiment { weight: f64::NAN, ..OPENING }),
        format!("weight: NaN was given; allowed: finite numbers up to ±{:e} in BF16", Format::Bf16.max_finite())
    );
    assert_eq!(
        message(Experiment { update: f64::INFINITY, ..OPENING }),
        format!("update: inf was given; allowed: finite numbers up to ±{:e}", Format::Fp32.max_finite())
    );
    assert_eq!(message(Experiment { steps: 0, ..OPENING }), "steps: 0 was given; allowed: 1 to 1000000000");
    assert_eq!(
        message(Experiment { steps: MAX_STEPS + 1, ..OPENING }),
        "steps: 1000000001 was given; allowed: 1 to 1000000000"
    );
    assert_eq!(message(Experiment { points: 1, ..OPENING }), "points: 1 was given; allowed: 2 to 100000");
    assert_eq!(
        message(Experiment { points: MAX_POINTS + 1, ..OPENING }),
        "points: 100001 was given; allowed: 2 to 100000"
    );
    assert_eq!(
        Format::from_id("fp7").expect_err("refused").to_string(),
        "format: \"fp7\" was given; allowed: fp32, tf32, bf16, fp16, fp8-e4m3, fp8-e5m2"
    );
    assert_eq!(
        Rounding::from_id("up").expect_err("refused").to_string(),
        "rounding: \"up\" was given; allowed: nearest-even, truncation"
    );
    assert_eq!(
        Master::from_id("bf16").expect_err("refused").to_string(),
        "master: \"bf16\" was given; allowed: none, fp32"
    );
    assert_eq!(
        Stored::from_bits(Format::Tf32, 1 << 19).expect_err("refused").to_string(),
        "bits: 0x80000 was given; allowed: 0 to 0x7ffff in TF32"
    );
    for rounding in Rounding::ALL {
        assert_eq!(Rounding::from_id(rounding.id()), Ok(rounding));
    }
    for master in Master::ALL {
        assert_eq!(Master::from_id(master.id()), Ok(master));
    }
}

/// binary32 to binary16 by shifting fields, the way conversion routines without hardware do: not by way of a grid.
fn fp16_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32;
    let mantissa = bits & 0x007f_ffff;
    if exponent == 0xff {
        return sign | 0x7c00 | if mantissa == 0 { 0 } else { 0x0200 };
    }
    let rebiased = exponent - 127 + 15;
    if rebiased >= 31 {
        return sign | 0x7c00;
    }
    let (full, dropped, base) = if rebiased <= 0 {
        if rebiased < -10 {
            return sign;
        }
        (mantissa | 0x0080_0000, 14 - rebiased as u32 as i32, 0)
    } else {
        (mantissa, 13, (rebiased as u32) << 10)
    };
    let kept = full >> dropped;
    let guard = full >> (dropped - 1) & 1;
    let sticky = full & ((1 << (dropped - 1)) - 1) != 0;
    let up = guard == 1 && (sticky || kept & 1 == 1);
    sign | (base + kept + u32::from(up)) as u16
}

/// An experiment without leaps: every addition on its own.
fn by_single_steps(with: Experiment) -> Vec<Stored> {
    let update = round_to(Format::Fp32, with.update, NearestEven).value();
    let mut weight = round_to(with.format, with.weight, with.rounding);
    let mut values = vec![weight];
    for _ in 0..with.steps {
        if weight.is_finite() {
            weight = add(weight, update, with.rounding);
        }
        values.push(weight);
    }
    values
}

fn any_format() -> impl Strategy<Value = Format> {
    proptest::sample::select(Format::ALL.to_vec())
}

fn any_rounding() -> impl Strategy<Value = Rounding> {
    proptest::sample::select(Rounding::ALL.to_vec())
}

/// Finite numbers of every size, and as many from the sizes that weights have.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        any::<f32>().prop_filter("finite", |value| value.is_finite()).prop_map(f64::from),
        -1000.0..1000.0f64,
        -1e-4..1e-4f64,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn rounding_twice_is_rounding_once(format in any_format(), rounding in any_rounding(), value in any_value()) {
        let once = round_to(format, value, rounding);
        prop_assume!(!once.is_nan());
        for again in Rounding::ALL {
            prop_assert_eq!(round_to(format, once.value(), again), once);
        }
    }

    #[test]
    fn rounding_keeps_order(format in any_format(), rounding in any_rounding(), a in any_value(), b in any_value()) {
        let (low, high) = (round_to(format, a.min(b), rounding), round_to(format, a.max(b), rounding));
        prop_assume!(!low.is_nan() && !high.is_nan());
        prop_assert!(low.value() <= high.value());
    }

    #[test]
    fn nearest_is_within_half_a_gap(format in any_format(), value in any_value()) {
        let stored = round_to(format, value, NearestEven);
        if !stored.is_finite() {
            return Ok(());
        }
        let error = value.abs() - stored.value().abs();
        // Beyond the largest number there is no gap, but the one below it is as wide.
        let gap = if error >= 0.0 { stored.gap_above().or(stored.gap_below()) } else { stored.gap_below() };
        prop_assert!(error.abs() <= gap.expect("a finite number has a neighbour on that side") / 2.0);
    }

    #[test]
    fn truncation_never_grows_and_loses_less_than_a_gap(format in any_format(), value in any_value()) {
        let stored = round_to(format, value, Truncation);
        prop_assert!(stored.value().abs() <= value.abs());
        prop_assert_eq!(stored.is_sign_negative(), value.is_sign_negative());
        if let Some(gap) = stored.gap_above() {
            prop_assert!(value.abs() - stored.value().abs() < gap);
        }
    }

    #[test]
    fn a_gap_leads_to_the_next_bit_pattern(format in any_format(), value in any_value()) {
        let stored = round_to(format, value, Truncation);
        if let Some(gap) = stored.gap_above() {
            let next = Stored::from_bits(format, stored.to_bits() + 1).expect("within the width");
            prop_assert_eq!(next.value().abs(), stored.value().abs() + gap);
            prop_assert_eq!(next.gap_below(), Some(gap));
        }
    }

    #[test]
    fn bits_are_worth_their_value(format in any_format(), rounding in any_rounding(), value in any_value()) {
        let stored = round_to(format, value, rounding);
        prop_assert_eq!(Stored::from_bits(format, stored.to_bits()), Ok(stored));
        if !stored.is_finite() {
            return Ok(());
        }
        // From the strings a reader sees, by the textbook formula.
        let fields = stored.bit_fields();
        let number = |digits: &str| f64::from(u32::from_str_radix(digits, 2).expect("binary digits"));
        let fraction = number(&fields.mantissa) / 2f64.powi(format.mantissa_bits() as i32);
        let size = match number(&fields.exponent) as i32 {
            0 => fraction * 2f64.powi(1 - format.bias()),
            exponent => (1.0 + fraction) * 2f64.powi(exponent - format.bias()),
        };
        prop_assert_eq!(stored.value(), if fields.sign == "1" { -size } else { size });
    }

    #[test]
    fn fp32_is_the_machines_own(value in any_value()) {
        prop_assert_eq!(round_to(Format::Fp32, value, NearestEven).to_bits(), (value as f32).to_bits());
    }

    #[test]
    fn fp32_addition_is_the_machines_own(a in any::<f32>(), b in any::<f32>()) {
        prop_assume!(a.is_finite() && b.is_finite());
        let stored = round_to(Format::Fp32, f64::from(a), NearestEven);
        prop_assert_eq!(add(stored, f64::from(b), NearestEven).to_bits(), (a + b).to_bits());
    }

    #[test]
    fn truncated_addition_drops_a_part_however_small(a in -1000.0f32..1000.0, far in 60i32..120) {
        // a − a·2^−far is less than a by far less than f64 can hold: only an exact sum is cut to the number below a.
        prop_assume!(a.abs() > 1e-2);
        let stored = round_to(Format::Fp32, f64::from(a), NearestEven);
        let below = add(stored, -f64::from(a) * 2f64.powi(-far), Truncation);
        prop_assert_eq!(below.to_bits() + 1, stored.to_bits());
    }

    #[test]
    fn bf16_is_the_upper_half_of_fp32(bits in any::<u32>()) {
        let value = f32::from_bits(bits);
        prop_assume!(!value.is_nan());
        prop_assert_eq!(round_to(Format::Bf16, f64::from(value), Truncation).to_bits(), bits >> 16);
        // Adding just under half of the dropped part, and the kept part's last bit for ties, rounds to nearest even.
        let nearest = ((u64::from(bits) + 0x7fff + u64::from(bits >> 16 & 1)) >> 16) as u32;
        prop_assert_eq!(round_to(Format::Bf16, f64::from(value), NearestEven).to_bits(), nearest);
    }

    #[test]
    fn fp16_agrees_with_a_bitwise_conversion(bits in any::<u32>(), near in -70_000.0f32..70_000.0, small in -1e-4f32..1e-4) {
        for value in [f32::from_bits(bits), near, small] {
            let stored = round_to(Format::Fp16, f64::from(value), NearestEven);
            if value.is_nan() {
                prop_assert!(stored.is_nan());
            } else {
                prop_assert_eq!(stored.to_bits() as u16, fp16_bits(value), "{}", value);
            }
        }
    }

    #[test]
    fn leaps_arrive_where_single_steps_do(
        format in any_format(),
        rounding in any_rounding(),
        weight in prop_oneof![-4.0..4.0f64, -1e-3..1e-3f64, -440.0..440.0f64],
        scale in -40i32..4,
        fraction in prop_oneof![Just(1.0), Just(0.75), -1.0..1.0f64],
        steps in 1u64..1_500,
    ) {
        let with = Experiment {
            format, rounding, weight, update: fraction * 2f64.powi(scale), steps, master: Master::None, points: 40,
        };
        let single = by_single_steps(with);
        let series = run(with);
        for point in &series.points {
            let expected = single[point.step as usize].value();
            prop_assert!(point.value == expected || (point.value.is_nan() && expected.is_nan()), "{point:?} {expected}");
        }
        let moved = single.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        prop_assert_eq!(series.changed_steps, moved);
        if let Some(step) = series.stuck_after {
            prop_assert_eq!(step, moved);
        }
    }

    #[test]
    fn a_master_copy_is_fp32_accumulation_rounded(
        format in any_format(),
        rounding in any_rounding(),
        weight in -4.0..4.0f64,
        update in -0.01..0.01f64,
        steps in 1u64..1_500,
    ) {
        let with = Experiment { format, rounding, weight, update, steps, master: Master::Fp32, points: 17 };
        let mut master = weight as f32;
        let masters: Vec<f32> = std::iter::once(master).chain((0..steps).map(|_| { master += update as f32; master })).collect();
        for point in run(with).points {
            let full = f64::from(masters[point.step as usize]);
            prop_assert_eq!(point.master, Some(full));
            prop_assert_eq!(point.value, round_to(format, full, rounding).value());
        }
    }
}

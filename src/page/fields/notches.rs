//! The notches of the sliders. A value between two notches is shown at the nearer one and stays what it is.

/// Parameter counts from 0.1 B to 1 T, twelve to a factor of ten.
pub const PARAMETERS: [f64; 49] = {
    const STEPS: [f64; 12] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let mut ladder = [1e12; 49];
    let mut decade = 1e8;
    let mut index = 0;
    while index < 48 {
        ladder[index] = decade * STEPS[index % 12];
        index += 1;
        if index % 12 == 0 {
            decade *= 10.0;
        }
    }
    ladder
};

/// GPUs: powers of two from 1 to 4096.
pub const GPUS: [f64; 13] = powers_of_two(0);

/// Sequence lengths: powers of two from 128 to 1,048,576 tokens.
pub const TOKENS: [f64; 14] = powers_of_two(7);

const fn powers_of_two<const N: usize>(first: u32) -> [f64; N] {
    let mut ladder = [0.0; N];
    let mut index = 0;
    while index < N {
        ladder[index] = (1_u64 << (first + index as u32)) as f64;
        index += 1;
    }
    ladder
}

/// The notch nearest to `value`, by ratio.
pub fn nearest(ladder: &[f64], value: f64) -> usize {
    // Values are positive; the distance in ratio is compared without a logarithm.
    let distance = |notch: f64| if value > notch { value / notch } else { notch / value };
    (0..ladder.len()).min_by(|a, b| distance(ladder[*a]).total_cmp(&distance(ladder[*b]))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladders_reach_from_end_to_end() {
        assert_eq!((PARAMETERS[0], PARAMETERS[48]), (1e8, 1e12));
        assert_eq!((GPUS[0], GPUS[12]), (1.0, 4096.0));
        assert_eq!((TOKENS[0], TOKENS[13]), (128.0, 1_048_576.0));
        for ladder in [&PARAMETERS[..], &GPUS, &TOKENS] {
            assert!(ladder.windows(2).all(|pair| pair[0] < pair[1]), "{ladder:?}");
            for (index, notch) in ladder.iter().enumerate() {
                assert_eq!(nearest(ladder, *notch), index);
            }
        }
        // Every count of the ladder is whole, as a parameter count has to be.
        assert!(PARAMETERS.iter().all(|count| count.fract() == 0.0), "{PARAMETERS:?}");
        assert!(PARAMETERS.contains(&7e9) && PARAMETERS.contains(&7e10));
    }

    #[test]
    fn values_between_notches_go_to_the_nearer_one() {
        assert_eq!(GPUS[nearest(&GPUS, 6.0)], 8.0);
        assert_eq!(GPUS[nearest(&GPUS, 1e9)], 4096.0);
        assert_eq!(PARAMETERS[nearest(&PARAMETERS, 8.03e9)], 8e9);
    }
}

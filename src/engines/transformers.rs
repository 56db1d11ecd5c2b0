//! Transformers' `generate`.

use crate::units::{GIB, MIB};

use super::formats::{MICRO_SCALED, NF4, PLAIN, PLAIN_CACHE, QUANTISED, SCALED_CACHE};
use super::log::{Lines, Reading};
use super::{Offers, Times, Traits, textbook};

/// What can be asked of it. It turns GGUF files into plain numbers when it loads them.
pub const OFFERS: Offers = Offers {
    title: Some("Transformers"),
    has: &[],
    weights: &[PLAIN, MICRO_SCALED, QUANTISED, NF4],
    caches: &[PLAIN_CACHE, SCALED_CACHE],
    levers: textbook::LEVERS,
};

/// What it allocates: tensors that grow token by token, one a layer; every prompt in one pass. `device_map="auto"` places
/// layers on one GPU after the other (accelerate's guide to big model inference: only one of them works at a time);
/// communicators are allocated only for tensor ranks.
pub const TRAITS: Traits = Traits {
    block: 1,
    block_eager: 1,
    shares_prefix: false,
    whole_prompts: true,
    places_layers: true,
    torch: true,
    context: 0.5 * GIB,
    communicators: 544.0 * MIB,
    ..textbook::TRAITS
};

/// Its times.
pub const TIMES: Times = textbook::TIMES;

/// It prints no such lines.
pub const LINES: Option<Lines> = None;

/// Its log states nothing.
pub const READING: Reading = Reading::UNKNOWN;

//! What an engine allocates, and how: the figures and ways in which engines differ.

use crate::names::Attention;

/// Of what an engine's `memory_fraction` is the fraction, and what the fraction has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// There is none: whatever is free.
    Free,
    /// Of the whole device: weights, the peak of a trial pass, what is outside the allocator, and the cache.
    Device,
    /// Of the whole device: weights and the cache; the rest is left to everything else.
    Static,
    /// Of what is free once the weights are loaded: the cache; passes live in what the fraction leaves.
    Loaded,
    /// Of what is free once everything else is allocated: the cache.
    Rest,
}

/// The share of a budget where none is given.
#[derive(Clone, Copy, Debug)]
pub enum Fraction {
    /// Always the same.
    Fixed(f64),
    /// By the bytes of the device and the GPUs of a replica.
    Worked(fn(f64, u64) -> f64),
}

/// How the tokens of a request are cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In blocks that are handed out as requests grow; of a windowed layer as many as this says.
    Blocks(Windows),
    /// In the cells of a slot, all allocated at the start; a windowed layer has cells for the window and a micro-batch.
    Slots,
}

/// What a request keeps of a windowed layer in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    /// The window.
    Width,
    /// The window and the tokens of a pass, and a block that both ends of it touch.
    Passes,
    /// As much as a layer that sees everything.
    Whole,
}

/// What is allocated for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workspace {
    /// Live tensors of one pass.
    Pass,
    /// One buffer for a whole graph, sized for a full cache: the larger of the moments of its logits and its attention.
    Graph,
}

/// The ways and figures of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// Of what the budget is a fraction.
    pub budget: Budget,
    /// That fraction, where none is given.
    pub fraction: Fraction,
    /// Tokens in one forward pass at most, where none is given.
    pub prefill_chunk: u64,
    /// Tokens in a block of the cache, where none is given.
    pub block: u64,
    /// The same where attention is eager.
    pub block_eager: u64,
    /// How tokens are cached.
    pub storage: Storage,
    /// Whether layers share one pool of pages in groups of as many layers, filled up with layers that do not exist, where
    /// a page is at least as large as the state of a linear layer.
    pub groups_layers: bool,
    /// Whether an FP8 cache of latent rows under sparse attention keeps in 16 bits what turns with the position.
    pub mixes_latent_rows: bool,
    /// Bytes of scale and zero beside each head's vector in an INT8 cache; 0 where a tensor has one scale.
    pub int8_head_bytes: f64,
    /// Bytes of an element of a convolution's state; none: as wide as live tensors.
    pub convolution_bytes: Option<f64>,
    /// Whether requests can share the blocks of a prefix.
    pub shares_prefix: bool,
    /// Whether the pool is as large as the whole tokens in it, and what is left of the budget stays free.
    pub pool_of_tokens: bool,
    /// Whether the most requests are stated as a fraction: the pool over one request.
    pub fractional_requests: bool,
    /// What is allocated for a pass.
    pub workspace: Workspace,
    /// Most sequences of a batch where none is given, by the bytes of the device; none where there is no such limit.
    pub sequences: Option<fn(f64) -> u64>,
    /// Bytes a sampled row and vocabulary entry at the sampler's peak, where it is sized for the most sequences.
    pub sampler_bytes: f64,
    /// Whether a prompt is computed in one pass.
    pub whole_prompts: bool,
    /// Bytes of an element of the rotary table that counts as a weight; 0 where there is none.
    pub rotary_bytes: f64,
    /// The residual width of MXFP4 experts is filled up to a multiple of this.
    pub mxfp4_multiple: f64,
    /// Whether the token embedding stays in host memory.
    pub embedding_on_host: bool,
    /// Whether whole layers are placed on one GPU after the other unless ranks are asked for, and only one of them works at
    /// a time while tokens are generated.
    pub places_layers: bool,
    /// Whether the engine's pass runs on PyTorch, whose libraries have workspaces in its allocator.
    pub torch: bool,
    /// Bytes outside the allocator with one tensor rank.
    pub context: f64,
    /// Further bytes outside the allocator with several.
    pub communicators: f64,
    /// Bytes of captured graphs; 0 where none are captured.
    pub graphs: f64,
}

impl Traits {
    /// Tokens in a block of the cache, where none is given.
    #[must_use]
    pub fn block_with(&self, attention: Attention) -> u64 {
        match attention {
            Attention::Flash => self.block,
            Attention::Eager => self.block_eager,
        }
    }

    /// The share of the budget where none is given, on a device of `capacity` bytes and with this many GPUs a replica.
    #[must_use]
    pub fn fraction(&self, capacity: f64, gpus: u64) -> f64 {
        match self.fraction {
            Fraction::Fixed(fraction) => fraction,
            Fraction::Worked(of) => of(capacity, gpus),
        }
    }
}

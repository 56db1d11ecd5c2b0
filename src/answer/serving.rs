//! What the cache of a layer keeps, and what engines log.

/// What a layer keeps of past tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// Keys and values of all of them.
    Full,
    /// Keys and values of the last ones.
    Windowed,
    /// A narrow row of all of them.
    Latent,
    /// A state of constant size.
    Linear,
}

impl LayerKind {
    /// Every kind.
    pub const ALL: [LayerKind; 4] = [LayerKind::Full, LayerKind::Windowed, LayerKind::Latent, LayerKind::Linear];
}

/// What a line of a log states about one GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogFigure {
    /// Bytes of the GPU's memory.
    Device,
    /// The engine's budget, as a share.
    Fraction,
    /// Bytes of weights.
    Weights,
    /// Bytes of weights that stay in host memory.
    HostWeights,
    /// Bytes of live tensors at the peak of a trial pass, or of a compute buffer.
    Workspace,
    /// Bytes outside the allocator.
    Outside,
    /// Bytes of the cache of keys and values.
    Pool,
    /// Bytes of recurrent states.
    States,
    /// Tokens the cache holds.
    Tokens,
    /// Blocks the cache holds.
    Blocks,
    /// Cells of the largest cache.
    Cells,
    /// Tokens a request holds.
    Context,
    /// Requests that have slots of their own.
    Slots,
    /// Requests of that context that fit at once.
    Requests,
    /// Bytes of captured graphs.
    Graphs,
}

impl LogFigure {
    /// Every one, in the order in which an engine prints them.
    pub const ALL: [LogFigure; 15] = [
        LogFigure::Device,
        LogFigure::Fraction,
        LogFigure::Weights,
        LogFigure::HostWeights,
        LogFigure::Workspace,
        LogFigure::Outside,
        LogFigure::Pool,
        LogFigure::States,
        LogFigure::Tokens,
        LogFigure::Blocks,
        LogFigure::Cells,
        LogFigure::Context,
        LogFigure::Slots,
        LogFigure::Requests,
        LogFigure::Graphs,
    ];

    /// Whether it is an amount of memory.
    #[must_use]
    pub fn is_bytes(self) -> bool {
        use LogFigure::*;
        matches!(self, Device | Weights | HostWeights | Workspace | Outside | Graphs | Pool | States)
    }
}

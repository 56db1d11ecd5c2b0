//! The symbols that rules are written in: one sign and one unit each, the same in every rule. What they
//! stand for is in the words of each language.

/// What a symbol is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    One,
    /// Bytes a parameter or an element.
    BytesEach,
    /// Bits a weight.
    BitsEach,
    /// Bytes.
    Bytes,
    /// Parameters or elements.
    Count,
}

macro_rules! symbols {
    ($($(#[$doc:meta])* $symbol:ident = $sign:literal, $unit:ident;)+) => {
        /// A quantity that a rule is written in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Symbol { $(#[doc = concat!("`", $sign, "`")] $symbol),+ }

        impl Symbol {
            /// Every symbol.
            pub const ALL: &'static [Symbol] = &[$(Symbol::$symbol),+];

            /// How it is written in a formula.
            #[must_use]
            pub fn sign(self) -> &'static str {
                match self { $(Symbol::$symbol => $sign),+ }
            }

            /// What it is measured in.
            #[must_use]
            pub fn unit(self) -> Unit {
                match self { $(Symbol::$symbol => Unit::$unit),+ }
            }
        }
    };
}

symbols! {
    BytesPerParameter = "c", BytesEach;
    BytesPerElement = "e", BytesEach;
    SplitParameters = "Ψ_s", Count;
    RepeatedParameters = "Ψ_r", Count;
    Tensor = "t", One;
    Shards = "N", One;
    ExpertParameters = "Ψ_x", Count;
    ExpertRanks = "p_e", One;
    ExpertTensor = "t_e", One;
    Predictions = "n_p", One;
    QuantisedParameters = "Ψ_8", Count;
    SmallParameters = "Ψ_32", Count;
    QuantisationBlock = "B", One;
    RowsAndColumns = "Σ_rc", Count;
    LongerSides = "Σ_n", Count;
    HiddenMatrices = "K", Count;
    OtherParameters = "Ψ_o", Count;
    Vectors = "Ψ_v", Count;
    Tokens = "T", Count;
    Width = "w", Count;
    Layers = "L", One;
    Divisor = "d", One;
    Keys = "s", Count;
    Heads = "a", One;
    Vocabulary = "V", Count;
    MicroBatches = "n_m", One;
    ContextBlocks = "n_c", One;
    BlockParameters = "Ψ_b", Count;
    RootParameters = "Ψ_e", Count;
    LiveParameters = "Ψ_l", Count;
    PrefetchedParameters = "Ψ_p", Count;
    Blocks = "n", One;
    Hidden = "h", Count;
    HiddenDivisor = "d_h", One;
    LayerBytes = "A", Bytes;
    BucketElements = "E", Count;
    Buckets = "n_b", One;
    FixedBytes = "m", Bytes;
    DistinctShapes = "S", Count;
    PairGroups = "g_2", One;
    LargeGroups = "g", One;
    PairBytes = "m_2", Bytes;
    LargeBytes = "m_g", Bytes;
    SlackFactor = "r", One;
    ActiveBytes = "M", Bytes;
    BitsPerWeight = "β", BitsEach;
    Weights = "n_w", Count;
    KeyWidth = "d_k", Count;
    KeyValueHeads = "k", One;
    CacheTokens = "c_t", Count;
    Requests = "R", One;
    Scales = "n_σ", Count;
    LogitRows = "n_l", One;
    ValueWidth = "d_v", Count;
    Positions = "n_s", Count;
    TurningWidth = "w_r", Count;
    ScaleBytes = "e_σ", BytesEach;
    IndexBytes = "e_i", BytesEach;
    ConvolutionElements = "n_c1", Count;
    StateElements = "n_st", Count;
    StateCopies = "n_2", One;
    WidestWidth = "w_m", Count;
    ChunkTokens = "T_c", Count;
}

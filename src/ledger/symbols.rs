//! The symbols that rules are written in: one sign, one unit and one meaning each, the same in every rule.

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
    ($($(#[$doc:meta])* $symbol:ident = $sign:literal, $unit:ident, $meaning:literal;)+) => {
        /// A quantity that a rule is written in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Symbol { $(#[doc = $meaning] $symbol),+ }

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

            /// What it stands for, in English.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Symbol::$symbol => $meaning),+ }
            }
        }
    };
}

symbols! {
    BytesPerParameter = "c", BytesEach, "bytes a parameter in this account";
    BytesPerElement = "e", BytesEach, "bytes an element";
    SplitParameters = "Ψ_s", Count, "parameters that tensor parallelism splits";
    RepeatedParameters = "Ψ_r", Count, "parameters that every tensor rank repeats (norms, some biases)";
    Tensor = "t", One, "tensor-parallel ranks";
    Shards = "N", One, "data-parallel ranks that share this account (1: every rank has all of it)";
    ExpertParameters = "Ψ_x", Count, "parameters of all routed experts";
    ExpertRanks = "p_e", One, "ranks over which the experts of a layer are spread";
    ExpertTensor = "t_e", One, "tensor-parallel ranks inside an expert";
    Predictions = "n_p", One, "layers that predict further tokens";
    QuantisedParameters = "Ψ_8", Count, "parameters of this rank in tensors large enough for 8-bit moments";
    SmallParameters = "Ψ_32", Count, "parameters of this rank in tensors too small for 8-bit moments";
    QuantisationBlock = "B", One, "parameters that share one fp32 scale";
    RowsAndColumns = "Σ_rc", Count, "rows plus columns of this rank's matrices";
    LongerSides = "Σ_n", Count, "longer sides of this rank's hidden matrices";
    HiddenMatrices = "K", Count, "this rank's hidden matrices";
    OtherParameters = "Ψ_o", Count, "this rank's parameters outside the hidden matrices";
    Vectors = "Ψ_v", Count, "parameters of this rank that are not in matrices";
    Tokens = "T", Count, "tokens of a micro-batch on this rank (micro-batch × sequence ÷ context ranks)";
    Width = "w", Count, "elements a token";
    Layers = "L", One, "layers (while tensors are kept: each as often as it has micro-batches in flight)";
    Divisor = "d", One, "ranks that share these elements";
    Keys = "s", Count, "tokens each query attends to (the sequence)";
    Heads = "a", One, "attention heads";
    Vocabulary = "V", Count, "vocabulary, padding included";
    MicroBatches = "n_m", One, "micro-batches whose loss waits for its backward";
    ContextBlocks = "n_c", One, "blocks of the sequence that are here at once";
    BlockParameters = "Ψ_b", Count, "parameters of one layer on one tensor rank";
    RootParameters = "Ψ_e", Count, "parameters of embedding, head and final norm on one tensor rank";
    LiveParameters = "Ψ_l", Count, "parameters of this tensor rank that are whole at once";
    PrefetchedParameters = "Ψ_p", Count, "parameters fetched ahead";
    Blocks = "n", One, "layers, or tensors, that are whole at the same time";
    Hidden = "h", Count, "hidden size";
    HiddenDivisor = "d_h", One, "ranks that share the hidden states";
    LayerBytes = "A", Bytes, "bytes one layer keeps for its backward";
    BucketElements = "E", Count, "elements of a bucket";
    Buckets = "n_b", One, "buckets";
    FixedBytes = "m", Bytes, "bytes measured for this device and library";
    DistinctShapes = "S", Count, "elements of all distinct linear shapes on this rank";
    PairGroups = "g_2", One, "communicators of two ranks";
    LargeGroups = "g", One, "communicators of more ranks";
    PairBytes = "m_2", Bytes, "bytes of a communicator of two ranks";
    LargeBytes = "m_g", Bytes, "bytes of a larger communicator";
    SlackFactor = "r", One, "reserved over allocated, as measured with this framework";
    ActiveBytes = "M", Bytes, "bytes that tensors hold at the peak";
    BitsPerWeight = "β", BitsEach, "bits a weight, scales and zero points included";
    Weights = "n_w", Count, "weights of this class on one rank";
    KeyWidth = "d_k", Count, "elements of a head";
    KeyValueHeads = "k", One, "key-value heads on one rank";
    CacheTokens = "c_t", Count, "tokens of a request in the cache, rounded up to whole blocks";
    Requests = "R", One, "requests on one replica";
    Scales = "n_σ", Count, "scales on one rank";
    LogitRows = "n_l", One, "rows of logits computed in a pass";
    ValueWidth = "d_v", Count, "elements of a value head";
    Positions = "n_s", Count, "positions the model states it is made for";
    TurningWidth = "w_r", Count, "elements a token of the keys' part that turns with the position";
    ScaleBytes = "e_σ", BytesEach, "bytes of scales beside a token of one layer";
    IndexBytes = "e_i", BytesEach, "bytes that an indexer keeps of a token of one layer";
    ConvolutionElements = "n_c1", Count, "inputs of the convolution that are kept, on one rank";
    StateElements = "n_st", Count, "elements of the state of one layer on one rank";
    StateCopies = "n_2", One, "copies of the state: one, and one a drafted token";
    WidestWidth = "w_m", Count, "elements a token of the widest moment of a layer";
    ChunkTokens = "T_c", Count, "tokens of one prefill chunk";
}

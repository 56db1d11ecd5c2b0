//! The view Stages.

pub const NAME: &str = "Stages";
pub const FINDING: &str = "Stage {0} holds most: {1} on each of its GPUs, at “{2}”. It {3}.";
pub const ALIKE: &str = "All stages hold the same: {0} on each of their GPUs.";
pub const DIFFERENCE: &str = "Its {0}: {1}, against {2} on the other stages on average.";
pub const BESIDES: &str = "Besides, it {0} ({1}: {2}, against {3}).";
pub const SPREAD: &str =
    "Stage {0} holds least, {1}: the largest stage decides what GPUs the pipeline needs, and here {2} less would do.";
pub const LARGEST_STAGE: &str = "↑ the peak: {0}";
pub const REASON_MICRO_BATCHES: &str = "has most micro-batches in flight, {0} × {1} layers";
pub const REASON_LAYERS_IN_FLIGHT: &str = "has most layers in flight, {0}, each counted once a micro-batch";
pub const REASON_LAYERS: &str = "has most layers, {0}";
pub const REASON_HEAVIER_LAYERS: &str = "has the layers that keep most for backward";
pub const REASON_HEAD_AND_LOSS: &str = "holds the head and the loss";
pub const REASON_EMBEDDING: &str = "holds the embedding";
pub const REASON_HEAD: &str = "holds the head";
pub const REASON_BOTH_ENDS: &str = "holds both the embedding and the head";
pub const REASON_MORE_PARAMETERS: &str = "has the layers with most parameters, {0} of state";
pub const REASON_ACCOUNT: &str = "needs most {0}";
pub const STATE_GROUP: &str = "model state";
pub const ENDS_GROUP: &str = "edge activations and loss";
pub const HOLDS_1F1B: &str = "With 1F1B a stage begins backward as soon as it can: the first one has as many micro-batches in flight as there are stages (or as the batch has), the last one only one.";
pub const HOLDS_GPIPE: &str =
    "GPipe does all forwards first: every stage keeps every micro-batch of the step until backward begins.";
pub const HOLDS_INTERLEAVED: &str = "Interleaved, each stage has several chunks of layers; the bubble is shorter, and the early stages keep more than with 1F1B.";
pub const HOLDS_ZB1P: &str =
    "Here weight gradients wait to fill the bubble: every stage keeps as many micro-batches as the first one of 1F1B.";
pub const HOLDS_ZB2P: &str = "Here weight gradients wait to fill the bubble: every stage keeps twice as many micro-batches as the first one of 1F1B.";
pub const HOLDS_DUALPIPE: &str = "With DualPipe micro-batches enter at both ends, so each GPU has two stages of the model and the micro-batches of both.";
pub const ONE_STAGE: &str = "There is one stage: every GPU works on all {0} layers, from the embedding to the loss.";
pub const ONE_STAGE_MEANS: &str = "A pipeline would split the model by its layers: each stage has some of them on GPUs of its own, and micro-batches pass from stage to stage. In a link that is training.pipeline.";
pub const TRY_STAGES: &str = "Try it";
pub const EXAMPLE_STAGES: &str = "{0} stages on {1}, {2} micro-batches a step";
pub const STAGE_NAME: &str = "Stage {0}";
pub const LAYERS_OF: &str = "{0} layers × {1} in flight";
pub const EMBEDDING_END: &str = "embedding";
pub const HEAD_END: &str = "head and loss";
pub const CAPTION: &str = "One GPU of each stage at its peak, in {0}";
pub const TABLE: &str = "The stages of the pipeline";
pub const STAGE_COLUMN: &str = "stage";
pub const PARAMETERS_COLUMN: &str = "parameters";
pub const STATE_COLUMN: &str = "state";
pub const ACTIVATIONS_COLUMN: &str = "activations";
pub const ENDS_COLUMN: &str = "edge activations, loss";
pub const BUFFERS_COLUMN: &str = "buffers";
pub const PEAK_COLUMN: &str = "peak";
pub const OUTSIDE_COLUMN: &str = "slack, runtime";
pub const DEVICE_COLUMN: &str = "on the device";
pub const NOTE: &str = "Stages are counted from 0, as ranks are. In flight: gone forward and not yet back, so its activations are kept. Parameters are a stage's over all its GPUs; bytes are one GPU's. Buffers are gathered weights, what backward needs for a while, buffers of collectives and workspace.";

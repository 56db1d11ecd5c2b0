//! English.

use vram_ledger::ledger::Account;

use super::{Message, ViewText};

pub fn say(message: Message) -> &'static str {
    match message {
        Message::ProductName => "VRAM Ledger",
        Message::Tagline => "what a model costs to serve, and to train",
        Message::LanguageChoice => "Language",
        Message::UnitChoice => "Unit of memory",
        Message::ThemeChoice => "Colours",
        Message::Light => "Light",
        Message::Dark => "Dark",
        Message::LinkRefused => "This link cannot be followed; what was there before is shown.",

        Message::Controls => "Model and machines",
        Message::Model => "Model",
        Message::Parameters => "Parameters",
        Message::Precision => "Precision",
        Message::Gpu => "GPU",
        Message::ShardsGpus => "Shards (GPUs)",
        Message::Sequence => "Sequence (tokens)",
        Message::Framework => "Framework",
        Message::Recipe => "Recipe",
        Message::Sharding => "Sharding",
        Message::ServedWeights => "Weights",
        Message::TrainingSettings => "Training",
        Message::LayoutSettings => "Layout",
        Message::ServingSettings => "Serving",
        Message::ClusterSettings => "Cluster",
        Message::Default => "default",
        Message::DefaultIs => "{0} (default)",
        Message::OwnFigures => "figures of its own",
        Message::ThisGpu => "this GPU",
        Message::OneGpu => "1 GPU",
        Message::GpusCount => "{0} GPUs",
        Message::TokensCount => "{0} tokens",
        Message::AssumedShape => "assumed: {0}",
        Message::DecoderOf => "{0} decoder",
        Message::DecoderOfAnySize => "Decoder of any size, its shape assumed",
        Message::PastedConfig => "Paste a config.json …",
        Message::PastedConfigOf => "Pasted config.json ({0})",
        Message::Shape => "{0} layers × {1}, {2} heads, {3} key-value heads",
        Message::ConfigJson => "config.json",
        Message::PasteHere => "Text of a Hugging Face config.json (it stays in this browser)",
        Message::UseThisModel => "Use this model",
        Message::Cancel => "Cancel",
        Message::Dismiss => "Dismiss",
        Message::BothLedgers => "What one GPU holds",
        Message::Inference => "Inference",
        Message::Training => "Training",
        Message::BarOf => "{0}: memory by account",
        Message::GpuShows => "one {0} shows {1}",
        Message::PerGpu => "on each GPU",
        Message::Fits => "fits one {0}, {1} to spare",
        Message::RoomForCache => "room for {0} tokens of cache",
        Message::TooMuch => "{0} too much for one {1}",
        Message::GapLine => {
            "Before one activation, training keeps {0} on a GPU and serving {1} of weights. Unsharded, that is {2} bytes a parameter against {3}: ×{4}."
        }
        Message::IntegersHoldNoUpdates => {
            "Training stays in BF16 mixed precision: integers hold no small updates. (QLoRA trains small adapters beside frozen 4-bit weights.)"
        }
        Message::ThreeSizes => {
            "Tensors hold {0} (active), the allocator keeps {1} (reserved), the device shows {2} (used); measured runs of this framework: {3} to {4}."
        }

        Message::Views => "Views",
        Message::TabLedger => "Ledger",
        Message::TabServing => "Serving",
        Message::TabTimeline => "Timeline",
        Message::TabStages => "Stages",
        Message::TabCommunication => "Communication",
        Message::TabScaling => "Scaling",
        Message::TabPrecisionLab => "Precision lab",
        Message::TabPlan => "Plan",
        Message::TabCompare => "Compare",
        Message::TabShare => "Share",
        Message::ViewOnItsWay => "On its way …",
        Message::ViewFailed => "This view could not be fetched. Choose it again once you are connected.",
    }
}

pub fn say_view(text: ViewText) -> &'static str {
    match text {
        ViewText::Attention => "Attention",
        ViewText::CacheFormat => "Key-value cache",
        ViewText::Concurrency => "Requests at once",
        ViewText::Context => "Context of a request (tokens)",
        ViewText::Dropout => "Dropout",
        ViewText::GlobalBatch => "Global batch (sequences)",
        ViewText::GpusPerNode => "GPUs in a node",
        ViewText::Kernels => "Kernels",
        ViewText::Loss => "Loss",
        ViewText::LossChunks => "Chunks of the loss",
        ViewText::MicroBatch => "Micro-batch (sequences)",
        ViewText::Network => "Network between nodes",
        ViewText::Optimizer => "Optimiser",
        ViewText::PrefillChunk => "Prefill chunk (tokens)",
        ViewText::Recompute => "Recomputation",
        ViewText::SequenceParallel => "Sequence parallel",
        ViewText::ServingTensor => "Tensor parallel",
        ViewText::TensorParallel => "Tensor parallel",
        ViewText::TrainingSequence => "Training sequence (tokens)",
        ViewText::PipelineStages => "Pipeline stages",
        ViewText::Schedule => "Pipeline schedule",
        ViewText::VirtualStages => "Layer chunks in a stage",
        ViewText::ContextParallel => "Context parallel",
        ViewText::ContextMethod => "Context split",
        ViewText::ExpertParallel => "Expert parallel",
        ViewText::ShardGroup => "Shard group (HSDP)",
        ViewText::RecomputedLayers => "Recomputed layers in a stage",
        ViewText::Offload => "Offload to the host",
        ViewText::ActivationOffload => "Offload activations",
        ViewText::OptimizerInBackward => "Update during backward",
        ViewText::Adapter => "Adapters",
        ViewText::AdapterRank => "Rank of the adapters",
        ViewText::Packing => "Share of tokens that are not padding",
        ViewText::VocabMultiple => "Vocabulary padded to a multiple of",
        ViewText::ExpertTensor => "Tensor parallel inside an expert",
        ViewText::ExpertCapacity => "Capacity of an expert, over the mean",
        ViewText::ExpertImbalance => "Tokens of the busiest rank, over the mean",
        ViewText::ExpertDispatch => "Tokens travel to experts in",
        ViewText::OptimizerStepBy => "Optimiser step",
        ViewText::ComputeIn => "Matrix products in",
        ViewText::GradientsTravelIn => "Gradients travel in",
        ViewText::PagedOptimizer => "Optimiser state can be paged to the host",
        ViewText::FusedAccumulation => "Gradients added up inside the product",
        ViewText::Reshard => "Drop gathered weights after forward",

        ViewText::NotANumber => "“{0}” is not a number; allowed: {1}",
        ViewText::NotJson => "This is not JSON: {0}",
        ViewText::ExampleParameters => "7b, 70 B, 1e9, 1,000,000",
        ViewText::ExampleTokens => "8k (8,192), 131072, 1,000,000",
        ViewText::ExampleCount => "a whole number, such as 8",
        ViewText::ExampleShare => "a share from 0 to 1, such as 0.1",
        ViewText::ExampleFactor => "a factor, such as 1.25",
        ViewText::ExampleBytes => "bytes, such as 8 GiB, 8GB or 8,589,934,592",

        ViewText::WouldFit => "with {0} it fits",
        ViewText::Apply => "apply",
        ViewText::ApplyThis => "Apply: {0}",
        ViewText::OtherWays => "Other ways to make it fit",
        ViewText::PeakAfter => "peak {0} on a GPU",
        ViewText::ChangeMicroBatch => "micro-batch {0}",
        ViewText::ChangeGlobalBatch => "global batch {0}",
        ViewText::ChangeRecompute => "recomputation: {0}",
        ViewText::ChangeWeights => "weights in {0}",
        ViewText::ChangeTensor => "tensor parallel {0}",
        ViewText::ChangeContext => "context parallel {0}",
        ViewText::ChangeExpert => "expert parallel {0}",
        ViewText::ChangeVirtualStages => "{0} chunks a stage",
        ViewText::OneStep => "One step",
        ViewText::OnGpusWaits => "on {0}, waiting on the network",
        ViewText::Compute => "compute",
        ViewText::Waiting => "waiting",
        ViewText::Bubble => "pipeline bubble",
        ViewText::OptimizerStep => "optimiser",
        ViewText::LedgerCaption => "What one GPU holds, in {0}",
        ViewText::AccountColumn => "account",
        ViewText::BytesAParameter => "bytes a parameter",
        ViewText::ShareOfTraining => "share",
        ViewText::Total => "total",
        ViewText::EveryEntry => "Every entry, to the byte",
        ViewText::RuleColumn => "rule",
        ViewText::BytesColumn => "bytes",
        ViewText::Explanation => "Where this number comes from",
        ViewText::ExplanationTitle => "{0}: {1} ({2})",
        ViewText::AccountIsEmpty => "Nothing is held for this here.",
        ViewText::RuleAndSource => "Rule {0} · {1}",

        ViewText::NothingTrained => "Nothing can be trained with these settings; the card says why.",
        ViewText::CapacityLine => "one {0} shows {1}",
        ViewText::CapacityBeyond => "The scale ends at {0}; one {1} shows {2}, far beyond it.",
        ViewText::ListComma => ", ",
        ViewText::PhaseLoss => "loss",
        ViewText::PhaseForward => "forward done",
        ViewText::PhaseBackward => "backward begins",
        ViewText::PhaseBackwardEnd => "backward ends",
        ViewText::PhaseOptimizer => "optimiser",
        ViewText::PhaseColumn => "phase",

        ViewText::TimelineFinding => "A step needs most at “{0}”: tensors hold {1} on one GPU.",
        ViewText::TimelineAgainst => "The next largest, “{0}”, holds {1} less: {2}.",
        ViewText::ComesAndGoes => "{0} stay from step to step; {1} come and go within each.",
        ViewText::TimelineOfStage => "This is stage {0} of the pipeline, the one that holds most.",
        ViewText::TimelineTensors => {
            "These are tensors alone. With what the allocator keeps back and what lies outside it, the device shows {0} at the peak: that is what has to fit."
        }
        ViewText::TimelineDrawing => "Memory in the phases of a step, in their order.",
        ViewText::LargestPhase => "largest",
        ViewText::SteadyLine => "kept between steps: {0}",
        ViewText::PeakInLoss => {
            "Everything that forward kept for backward is still there, and the logits come on top: a number for every token and every entry of the vocabulary."
        }
        ViewText::PeakInForward => {
            "Every micro-batch in flight has gone through these layers, and all that backward needs of it is kept."
        }
        ViewText::PeakInBackward => {
            "Everything that forward kept for backward is still there, and backward adds what the layer at work needs for a while: gradients in flight, and whatever is computed anew."
        }
        ViewText::PeakInBackwardEnd => {
            "What forward kept is used up but for one layer; instead all gradients are there, beside everything that stays."
        }
        ViewText::PeakInOptimizer => {
            "Nothing of forward and backward is left; what the optimiser holds is more than the passes ever needed."
        }
        ViewText::TimelineCaption => "The phases of an optimiser step, on one GPU, in {0}",
        ViewText::TimelineTable => "The phases of an optimiser step",
        ViewText::HappensColumn => "what happens",
        ViewText::HeldColumn => "held",
        ViewText::OverSteadyColumn => "against between steps",
        ViewText::InLoss => {
            "Forward has gone through all layers and kept what backward will need; head and loss are computed."
        }
        ViewText::InForward => {
            "Forward of this stage is done for every micro-batch in flight; what backward will need is kept."
        }
        ViewText::InBackward => {
            "Backward starts at the last layer: everything is still kept, and the first gradients are computed."
        }
        ViewText::InBackwardEnd => {
            "Backward reaches the first layer: what was kept is used up, and every gradient is there."
        }
        ViewText::InOptimizer => {
            "The optimiser turns gradients and moments into new weights; the passes have left nothing."
        }
        ViewText::BetweenSteps => "between steps",
        ViewText::InBetween => "What stays from one step to the next.",
        ViewText::PhasesByAccount => "What is held in each phase",
        ViewText::PaddingCosts => {
            "{0} of the tokens are padding: without them the peak would be {1} lower, a step {2} shorter, and each GPU would send {3} less in it."
        }
        ViewText::PhaseHolds => "{0}: {1} in “{2}”",
        ViewText::StageHolds => "{0}: {1} on stage {2}",
        ViewText::ChooseSegment => "Choose a part of a bar to see where its bytes come from.",

        ViewText::StagesFinding => "Stage {0} holds most: {1} on each of its GPUs, at “{2}”. It {3}.",
        ViewText::StagesAlike => "All stages hold the same: {0} on each of their GPUs.",
        ViewText::StagesDifference => "Its {0}: {1}, against {2} on the other stages on average.",
        ViewText::StagesBesides => "Besides, it {0} ({1}: {2}, against {3}).",
        ViewText::StagesSpread => {
            "Stage {0} holds least, {1}: the largest stage decides what GPUs the pipeline needs, and here {2} less would do."
        }
        ViewText::LargestStage => "↑ the peak: {0}",
        ViewText::ReasonMicroBatches => "has most micro-batches in flight, {0} × {1} layers",
        ViewText::ReasonLayersInFlight => "has most layers in flight, {0}, each counted once a micro-batch",
        ViewText::ReasonLayers => "has most layers, {0}",
        ViewText::ReasonHeavierLayers => "has the layers that keep most for backward",
        ViewText::ReasonHeadAndLoss => "holds the head and the loss",
        ViewText::ReasonEmbedding => "holds the embedding",
        ViewText::ReasonHead => "holds the head",
        ViewText::ReasonBothEnds => "holds both the embedding and the head",
        ViewText::ReasonMoreParameters => "has the layers with most parameters, {0} of state",
        ViewText::ReasonAccount => "needs most {0}",
        ViewText::StateGroup => "model state",
        ViewText::EndsGroup => "edge activations and loss",
        ViewText::Holds1F1B => {
            "With 1F1B a stage begins backward as soon as it can: the first one has as many micro-batches in flight as there are stages (or as the batch has), the last one only one."
        }
        ViewText::HoldsGPipe => {
            "GPipe does all forwards first: every stage keeps every micro-batch of the step until backward begins."
        }
        ViewText::HoldsInterleaved => {
            "Interleaved, each stage has several chunks of layers; the bubble is shorter, and the early stages keep more than with 1F1B."
        }
        ViewText::HoldsZb1p => {
            "Here weight gradients wait to fill the bubble: every stage keeps as many micro-batches as the first one of 1F1B."
        }
        ViewText::HoldsZb2p => {
            "Here weight gradients wait to fill the bubble: every stage keeps twice as many micro-batches as the first one of 1F1B."
        }
        ViewText::HoldsDualPipe => {
            "With DualPipe micro-batches enter at both ends, so each GPU has two stages of the model and the micro-batches of both."
        }
        ViewText::OneStage => "There is one stage: every GPU works on all {0} layers, from the embedding to the loss.",
        ViewText::OneStageMeans => {
            "A pipeline would split the model by its layers: each stage has some of them on GPUs of its own, and micro-batches pass from stage to stage. In a link that is training.pipeline."
        }
        ViewText::TryStages => "Try it",
        ViewText::ExampleStages => "{0} stages on {1}, {2} micro-batches a step",
        ViewText::StageName => "Stage {0}",
        ViewText::LayersOf => "{0} layers × {1} in flight",
        ViewText::EmbeddingEnd => "embedding",
        ViewText::HeadEnd => "head and loss",
        ViewText::StagesCaption => "One GPU of each stage at its peak, in {0}",
        ViewText::StagesTable => "The stages of the pipeline",
        ViewText::StageColumn => "stage",
        ViewText::ParametersColumn => "parameters",
        ViewText::StateColumn => "state",
        ViewText::ActivationsColumn => "activations",
        ViewText::EndsColumn => "edge activations, loss",
        ViewText::BuffersColumn => "buffers",
        ViewText::PeakColumn => "peak",
        ViewText::OutsideColumn => "slack, runtime",
        ViewText::DeviceColumn => "on the device",
        ViewText::StagesNote => {
            "Stages are counted from 0, as ranks are. In flight: gone forward and not yet back, so its activations are kept. Parameters are a stage's over all its GPUs; bytes are one GPU's. Buffers are gathered weights, what backward needs for a while, buffers of collectives and workspace."
        }

        ViewText::SentInAStep => "Training: what one GPU sends in an optimiser step",
        ViewText::SentInAPass => "Inference: what one GPU sends in a pass",
        ViewText::NothingSent => "{0}: nothing.",
        ViewText::ExposedMeans => "Exposed is what no computation hides: for so long the GPU waits.",
        ViewText::WhatMoves => "what moves",
        ViewText::CollectiveColumn => "collective",
        ViewText::GroupColumn => "among",
        ViewText::GroupOf => "{0} ({1} ranks)",
        ViewText::LinkColumn => "slowest link",
        ViewText::CallsColumn => "calls",
        ViewText::SentColumn => "sent",
        ViewText::TimeColumn => "time",
        ViewText::ExposedColumn => "exposed",
        ViewText::LargestExposed => "the longest wait",

        ViewText::ScalingCaption => "The same training on other numbers of GPUs",
        ViewText::GpusColumn => "GPUs",
        ViewText::StatePerGpu => "state on a GPU",
        ViewText::PeakPerGpu => "peak on a GPU",
        ViewText::StepTime => "one step",
        ViewText::WaitingShare => "waiting",

        ViewText::WhyMasterWeights => {
            "A weight in BF16 has 8 significant bits: near 1.0 its neighbours are 0.0078 away, so an update of 0.001 rounds to nothing. That is why training keeps an FP32 copy."
        }

        ViewText::ComparisonCaption => "Serving and training the same model, with today's numbers",
        ViewText::ComparedColumn => "on one GPU",
        ViewText::RowWeights => "Weights",
        ViewText::RowGradients => "Gradients",
        ViewText::RowMaster => "FP32 master weights",
        ViewText::RowMomentum => "First moment",
        ViewText::RowVariance => "Second moment",
        ViewText::RowActivations => "Activations kept for backward",
        ViewText::RowCache => "Key-value cache",
        ViewText::RowSequenceDoubled => "Sequences twice as long",
        ViewText::RowBatchDoubled => "Twice the batch (requests at once; sequences a micro-batch)",
        ViewText::RowNetwork => "The network carries",
        ViewText::RowTime => "Time",
        ViewText::Nothing => "nothing",
        ViewText::AToken => "{0} a generated token",
        ViewText::AStep => "{0} an optimiser step",
        ViewText::ATokenTakes => "{0} a token, after {1} for the prompt",
        ViewText::AStepTakes => "{0} a step; waiting in it: {1}",

        ViewText::ShareLink => "Link to exactly this",
        ViewText::ShareEmbed => "To embed bars and sliders in another page",
        ViewText::ShareScenario => "The question as JSON",
        ViewText::ShareReport => "The answer as JSON",
        ViewText::Copy => "Copy",
        ViewText::Copied => "Copied",
    }
}

pub fn account(account: Account) -> &'static str {
    match account {
        Account::Weights => "weights",
        Account::Gradients => "gradients",
        Account::MasterWeights => "fp32 master weights",
        Account::Momentum => "momentum",
        Account::Variance => "variance",
        Account::Adapters => "adapters",
        Account::GatheredWeights => "gathered weights",
        Account::Activations => "activations",
        Account::EdgeActivations => "edge activations",
        Account::Loss => "loss",
        Account::BackwardTemporaries => "backward temporaries",
        Account::CommunicationBuffers => "communication buffers",
        Account::KvCache => "key-value cache",
        Account::Workspace => "workspace",
        Account::Runtime => "runtime",
        Account::Slack => "allocator slack",
    }
}

//! English and Chinese. Every text of the page is listed once here and written once in each language; the matches are
//! exhaustive, so a text without a translation does not compile.

mod difference;
mod en;
mod lab;
mod plan;
mod serving;
mod waiting;
mod zh;

use std::borrow::Cow;

use vram_ledger::advice::Change;
use vram_ledger::answer::{Collective, Group, Half, Pass, Payload};
use vram_ledger::frameworks::Framework;
use vram_ledger::ledger::{Account, Rule, Symbol};
use vram_ledger::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, FlopsConvention,
    Kernels, Loss, Name, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat, Schedule, Sharding, WeightFormat,
};
use vram_ledger::optimizers::Optimizer;
use vram_ledger::refusal::FieldError;

use crate::page::context::state::Refusal;
use crate::page::fields::quantity::Quantity;
use crate::page::fields::{Control, Kind};

pub use difference::difference;
pub use lab::LabText;
pub use plan::PlanText;
pub use serving::ServingText;
pub use waiting::WaitText;

/// The languages of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters.
    Chinese,
}

macro_rules! texts {
    ($(#[$doc:meta])* $kind:ident, $say:ident { $($text:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind { $($text),+ }

        #[cfg(test)]
        impl $kind {
            /// Every one.
            pub const ALL: &'static [$kind] = &[$($kind::$text),+];
        }

        impl Text for $kind {
            fn in_language(self, language: Language) -> &'static str {
                match language {
                    Language::English => en::$say(self),
                    Language::Chinese => zh::$say(self),
                }
            }
        }
    };
}

/// A text of the page that is not the name of something in the ledger. `{0}`, `{1}` … stand for what
/// [`Language::fill`] puts in.
pub trait Text {
    /// The text.
    fn in_language(self, language: Language) -> &'static str;
}

texts! {
    /// What the page says from the start.
    Message, say {
        // The head.
        ProductName, Tagline, LanguageChoice, UnitChoice, ThemeChoice, Light, Dark, LinkRefused,
        // Controls.
        Controls, Model, Parameters, Precision, Gpu, ShardsGpus, Sequence, Framework, Recipe, Sharding,
        ServedWeights, TrainingSettings, LayoutSettings, ServingSettings, ClusterSettings, Default, DefaultIs,
        OwnFigures, ThisGpu, OneGpu, GpusCount, TokensCount, AssumedShape, DecoderOf, DecoderOfAnySize, PastedConfig,
        PastedConfigOf, Shape, ConfigJson, PasteHere, UseThisModel, Cancel, Dismiss,
        // The card.
        BothLedgers, Inference, Training, BarOf, GpuShows, PerGpu, Fits, RoomForCache, TooMuch, GapLine,
        IntegersHoldNoUpdates, ThreeSizes,
        // Views.
        Views, TabLedger, TabServing, TabTimeline, TabStages, TabCommunication, TabScaling, TabPrecisionLab, TabPlan,
        TabCompare, TabShare, ViewOnItsWay, ViewFailed,
    }
}

texts! {
    /// What is said below the card, and about what was refused: it comes with the views.
    ViewText, say_view {
        // Controls in groups.
        Attention, CacheFormat, Concurrency, Context, Dropout, GlobalBatch, GpusPerNode, Kernels, Loss, LossChunks,
        MicroBatch, Network, Optimizer, PrefillChunk, Recompute, SequenceParallel, ServingTensor, TensorParallel,
        TrainingSequence, PipelineStages, Schedule, VirtualStages, ContextParallel, ContextMethod, ExpertParallel,
        ShardGroup, RecomputedLayers, Offload, ActivationOffload, OptimizerInBackward, Adapter, AdapterRank, Packing,
        VocabMultiple, ExpertTensor, ExpertCapacity, ExpertImbalance, ExpertDispatch, OptimizerStepBy, ComputeIn,
        GradientsTravelIn, PagedOptimizer, FusedAccumulation, Reshard,
        // What was refused.
        NotANumber, NotJson, ExampleParameters, ExampleTokens, ExampleCount, ExampleShare, ExampleFactor, ExampleBytes,
        // Advice and the step under the card.
        WouldFit, Apply, ApplyThis, OtherWays, PeakAfter, ChangeMicroBatch, ChangeGlobalBatch, ChangeRecompute,
        ChangeWeights, ChangeTensor, ChangeContext, ChangeExpert, ChangeVirtualStages, OneStep, OnGpusWaits, Compute, Waiting, Bubble, OptimizerStep,
        // The ledger.
        LedgerCaption, AccountColumn, BytesAParameter, ShareOfTraining, Total, EveryEntry, RuleColumn, BytesColumn,
        Explanation, ExplanationTitle, AccountIsEmpty, RuleAndSource,
        // What the drawings of phases and of stages have in common.
        NothingTrained, CapacityLine, CapacityBeyond, ListComma, PhaseLoss, PhaseForward, PhaseBackward,
        PhaseBackwardEnd, PhaseOptimizer, PhaseColumn,
        // The timeline.
        TimelineFinding, TimelineAgainst, ComesAndGoes, TimelineOfStage, TimelineTensors, TimelineDrawing,
        LargestPhase, SteadyLine, PeakInLoss, PeakInForward, PeakInBackward, PeakInBackwardEnd, PeakInOptimizer,
        TimelineCaption, TimelineTable, HappensColumn, HeldColumn, OverSteadyColumn, InLoss, InForward, InBackward,
        InBackwardEnd, InOptimizer, BetweenSteps, InBetween, PhasesByAccount, PaddingCosts, PhaseHolds, StageHolds,
        ChooseSegment,
        // Stages.
        StagesFinding, StagesAlike, StagesDifference, StagesBesides, StagesSpread, LargestStage, ReasonMicroBatches,
        ReasonLayersInFlight, ReasonLayers, ReasonHeavierLayers, ReasonHeadAndLoss, ReasonEmbedding, ReasonHead,
        ReasonBothEnds, ReasonMoreParameters, ReasonAccount, StateGroup, EndsGroup, Holds1F1B, HoldsGPipe,
        HoldsInterleaved, HoldsZb1p, HoldsZb2p, HoldsDualPipe, OneStage, OneStageMeans, TryStages, ExampleStages,
        StageName, LayersOf, EmbeddingEnd, HeadEnd, StagesCaption, StagesTable, StageColumn, ParametersColumn,
        StateColumn, ActivationsColumn, EndsColumn, BuffersColumn, PeakColumn, OutsideColumn, DeviceColumn,
        StagesNote,
        // Communication.
        SentInAStep, SentInAPass, NothingSent, ExposedMeans, WhatMoves, CollectiveColumn, GroupColumn, GroupOf,
        LinkColumn, CallsColumn, SentColumn, TimeColumn, ExposedColumn, LargestExposed,
        // Scaling.
        ScalingCaption, GpusColumn, StatePerGpu, PeakPerGpu, StepTime, WaitingShare,
        // Precision lab.
        WhyMasterWeights,
        // Comparison.
        ComparisonCaption, ComparedColumn, RowWeights, RowGradients, RowMaster, RowMomentum, RowVariance,
        RowActivations, RowCache, RowSequenceDoubled, RowBatchDoubled, RowNetwork, RowTime, Nothing, AToken, AStep,
        ATokenTakes, AStepTakes,
        // Sharing.
        ShareLink, ShareEmbed, ShareScenario, ShareReport, Copy, Copied,
    }
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The language tag of the document.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-Hans",
        }
    }

    /// The name in the query.
    pub fn short(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// The name it has for itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// The language of a tag such as `zh-CN`, if it is one of the page's.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| language.short().eq_ignore_ascii_case(primary))
    }

    /// A text.
    pub fn say(self, text: impl Text) -> &'static str {
        text.in_language(self)
    }

    /// A text with `parts` in the places of `{0}`, `{1}` …
    pub fn fill(self, text: impl Text, parts: &[&str]) -> String {
        fill(self.say(text), parts)
    }

    /// The name of a half.
    pub fn half(self, half: Half) -> &'static str {
        self.say(match half {
            Half::Training => Message::Training,
            Half::Inference => Message::Inference,
        })
    }

    /// The name of an account, short enough for a bar.
    pub fn account(self, account: Account) -> &'static str {
        match self {
            Language::English => en::account(account),
            Language::Chinese => zh::account(account),
        }
    }

    /// What the bytes of a rule are.
    pub fn meaning(self, rule: Rule) -> &'static str {
        match self {
            Language::English => rule.meaning(),
            Language::Chinese => zh::meaning(rule),
        }
    }

    /// What a symbol stands for.
    pub fn symbol(self, symbol: Symbol) -> &'static str {
        match self {
            Language::English => symbol.meaning(),
            Language::Chinese => zh::symbol(symbol),
        }
    }

    /// A refused field: its path, what was given, what is allowed.
    pub fn field_error(self, error: &FieldError) -> String {
        match self {
            Language::English => error.to_string(),
            Language::Chinese => zh::field_error(error),
        }
    }

    /// Why what was entered into a control was not taken.
    pub fn refusal(self, refusal: &Refusal, text: &str, control: Control) -> String {
        match refusal {
            Refusal::Ledger(error) => self.field_error(error),
            Refusal::NotJson(reason) => self.fill(ViewText::NotJson, &[reason]),
            Refusal::NotANumber => {
                let example = match control.0.kind {
                    Kind::Number { quantity: Quantity::Bytes, .. } => ViewText::ExampleBytes,
                    Kind::Number { quantity: Quantity::Parameters, .. } => ViewText::ExampleParameters,
                    Kind::Number { quantity: Quantity::Tokens, .. } => ViewText::ExampleTokens,
                    Kind::Number { quantity: Quantity::Share, .. } => ViewText::ExampleShare,
                    Kind::Number { quantity: Quantity::Factor, .. } => ViewText::ExampleFactor,
                    _ => ViewText::ExampleCount,
                };
                self.fill(ViewText::NotANumber, &[text, self.say(example)])
            }
        }
    }

    /// So many GPUs, in words.
    pub fn gpus(self, count: f64) -> String {
        if count == 1.0 {
            return self.say(Message::OneGpu).to_owned();
        }
        self.fill(Message::GpusCount, &[&crate::page::format::grouped(count)])
    }

    /// A change that advice proposes.
    pub fn change(self, change: Change) -> String {
        let (message, value): (_, Cow<str>) = match change {
            Change::Sharding(sharding) => return self.sharding_short(sharding).to_owned(),
            Change::Gpus(count) => return self.gpus(count as f64),
            Change::MicroBatch(count) => (ViewText::ChangeMicroBatch, count.to_string().into()),
            Change::GlobalBatch(count) => (ViewText::ChangeGlobalBatch, count.to_string().into()),
            Change::Recompute(recompute) => (ViewText::ChangeRecompute, self.recompute(recompute).into()),
            Change::Weights(format) => (ViewText::ChangeWeights, self.weight_format(format).into()),
            Change::Tensor(count) | Change::ServingTensor(count) => (ViewText::ChangeTensor, count.to_string().into()),
            Change::Context(count) => (ViewText::ChangeContext, count.to_string().into()),
            Change::Expert(count) => (ViewText::ChangeExpert, count.to_string().into()),
            Change::VirtualStages(count) => (ViewText::ChangeVirtualStages, count.to_string().into()),
            Change::Schedule(schedule) => return self.schedule(schedule).to_owned(),
        };
        self.fill(message, &[&value])
    }

    /// A profile of defaults.
    pub fn framework(self, framework: Framework) -> &'static str {
        match framework {
            Framework::Textbook => self.pick("Textbook", "教科书口径"),
            Framework::MegatronCore => "Megatron-Core",
            Framework::PytorchFsdp2 => "PyTorch FSDP2",
            Framework::DeepSpeed => "DeepSpeed",
            Framework::HfTrainer => "Hugging Face Trainer",
            Framework::Torchtune => "torchtune",
        }
    }

    /// A training recipe.
    pub fn recipe(self, recipe: RecipeName) -> &'static str {
        match recipe {
            RecipeName::Bf16Mixed => self.pick("BF16 mixed", "BF16 混合精度"),
            RecipeName::Bf16MixedFp32Gradients => self.pick("BF16 mixed, FP32 gradients", "BF16 混合精度，FP32 梯度"),
            RecipeName::Fp16Mixed => self.pick("FP16 mixed", "FP16 混合精度"),
            RecipeName::Fp16MixedFp32Gradients => self.pick("FP16 mixed, FP32 gradients", "FP16 混合精度，FP32 梯度"),
            RecipeName::Fp32 => self.pick("FP32 throughout", "全程 FP32"),
            RecipeName::Fp32Sharded => self.pick("FP32 shards, BF16 compute", "FP32 分片，BF16 计算"),
            RecipeName::Bf16Pure => self.pick("BF16 throughout", "全程 BF16"),
            RecipeName::Fp8Mixed => self.pick("FP8 mixed", "FP8 混合精度"),
            RecipeName::Mxfp8Mixed => self.pick("MXFP8 mixed", "MXFP8 混合精度"),
            RecipeName::Nvfp4Mixed => self.pick("NVFP4 mixed", "NVFP4 混合精度"),
        }
    }

    /// What data-parallel ranks share out.
    pub fn sharding(self, sharding: Sharding) -> &'static str {
        match sharding {
            Sharding::None => self.pick("none: replicas", "不分片（各存一份）"),
            Sharding::Zero1 => self.pick("ZeRO-1: optimiser state", "ZeRO-1：优化器状态"),
            Sharding::Zero2 => self.pick("ZeRO-2: and gradients", "ZeRO-2：再加梯度"),
            Sharding::Zero3 => self.pick("ZeRO-3: and weights", "ZeRO-3：再加权重"),
            Sharding::Hsdp => "HSDP",
        }
    }

    /// The same in a word.
    pub fn sharding_short(self, sharding: Sharding) -> &'static str {
        match sharding {
            Sharding::None => self.pick("replicas", "不分片"),
            Sharding::Zero1 => "ZeRO-1",
            Sharding::Zero2 => "ZeRO-2",
            Sharding::Zero3 => "ZeRO-3",
            Sharding::Hsdp => "HSDP",
        }
    }

    /// What is computed twice.
    pub fn recompute(self, recompute: Recompute) -> &'static str {
        match recompute {
            Recompute::None => self.pick("none", "不重算"),
            Recompute::Selective => self.pick("selective", "选择性重算"),
            Recompute::Full => self.pick("full", "全部重算"),
            Recompute::SelectiveOps => self.pick("selective operators", "按算子重算"),
        }
    }

    /// The order of micro-batches in a pipeline.
    pub fn schedule(self, schedule: Schedule) -> &'static str {
        match schedule {
            Schedule::OneForwardOneBackward => "1F1B",
            Schedule::GPipe => "GPipe",
            Schedule::Interleaved => self.pick("interleaved 1F1B", "交错 1F1B"),
            Schedule::Zb1p => "ZB1P",
            Schedule::Zb2p => "ZB2P",
            Schedule::Zbv => "ZBV",
            Schedule::DualPipe => "DualPipe",
        }
    }

    /// How a long sequence is split over ranks.
    pub fn context_method(self, method: ContextMethod) -> &'static str {
        match method {
            ContextMethod::Ring => self.pick("ring", "环形"),
            ContextMethod::AllGather => self.pick("all-gather of keys and values", "all-gather 键和值"),
            ContextMethod::Ulysses => "Ulysses",
        }
    }

    /// How the weights are updated.
    pub fn optimizer_step(self, step: OptimizerStep) -> &'static str {
        match step {
            OptimizerStep::Fused => self.pick("fused", "融合算子"),
            OptimizerStep::Foreach => self.pick("all tensors at once (foreach)", "所有张量一起（foreach）"),
            OptimizerStep::ForLoop => self.pick("tensor by tensor", "逐个张量"),
        }
    }

    /// The format of matrix products.
    pub fn compute(self, format: ComputeFormat) -> &'static str {
        match format {
            ComputeFormat::Fp32 => "FP32",
            ComputeFormat::Bf16 => "BF16",
            ComputeFormat::Fp16 => "FP16",
            ComputeFormat::Fp8 => "FP8",
            ComputeFormat::Mxfp8 => "MXFP8",
            ComputeFormat::Nvfp4 => "NVFP4",
        }
    }

    /// The format in which gradients travel.
    pub fn reduce_format(self, format: ReduceFormat) -> &'static str {
        match format {
            ReduceFormat::Bf16 => "BF16",
            ReduceFormat::Fp16 => "FP16",
            ReduceFormat::Fp32 => "FP32",
        }
    }

    /// The format in which tokens travel to experts.
    pub fn dispatch(self, format: DispatchFormat) -> &'static str {
        match format {
            DispatchFormat::Bf16 => "BF16",
            DispatchFormat::Fp8 => "FP8",
        }
    }

    /// What lies in host memory.
    pub fn offload(self, offload: Offload) -> &'static str {
        match offload {
            Offload::None => self.pick("nothing", "不卸载"),
            Offload::Optimizer => self.pick("optimiser state", "优化器状态"),
            Offload::OptimizerAndParameters => self.pick("optimiser state and weights", "优化器状态和权重"),
        }
    }

    /// Adapters.
    pub fn adapter(self, kind: AdapterKind) -> &'static str {
        match kind {
            AdapterKind::Lora => "LoRA",
            AdapterKind::Qlora => self.pick("QLoRA (frozen weights in NF4)", "QLoRA（冻结权重用 NF4）"),
        }
    }

    /// An optimiser.
    pub fn optimizer(self, optimizer: Optimizer) -> &'static str {
        match optimizer {
            Optimizer::AdamW => "AdamW",
            Optimizer::AdamW8bit => self.pick("AdamW, 8-bit moments", "AdamW，8 位动量"),
            Optimizer::AdamWBf16 => self.pick("AdamW, BF16 moments", "AdamW，BF16 动量"),
            Optimizer::Adafactor => "Adafactor",
            Optimizer::Lion => "Lion",
            Optimizer::Sgd => "SGD",
            Optimizer::SgdMomentum => self.pick("SGD with momentum", "带动量的 SGD"),
            Optimizer::Muon => "Muon",
        }
    }

    /// How attention is computed.
    pub fn attention(self, attention: Attention) -> &'static str {
        match attention {
            Attention::Flash => "FlashAttention",
            Attention::Eager => self.pick("eager (scores kept)", "朴素实现（保存注意力分数）"),
        }
    }

    /// The kernels of a layer.
    pub fn kernels(self, kernels: Kernels) -> &'static str {
        match kernels {
            Kernels::Fused => self.pick("fused", "融合算子"),
            Kernels::Eager => self.pick("eager", "逐算子"),
            Kernels::Compiled => "torch.compile",
            Kernels::TransformerEngine => "Transformer Engine",
        }
    }

    /// How the loss is computed.
    pub fn loss(self, loss: Loss) -> &'static str {
        match loss {
            Loss::Fused => self.pick("fused in place", "原地融合"),
            Loss::Eager => self.pick("eager", "逐算子"),
            Loss::Compiled => "torch.compile",
            Loss::VocabParallel => self.pick("vocabulary-parallel", "词表并行"),
            Loss::Chunked => self.pick("in chunks", "分块"),
            Loss::FusedLinear => self.pick("fused with the head", "与输出层融合"),
        }
    }

    /// A format of served weights.
    pub fn weight_format(self, format: WeightFormat) -> &'static str {
        match format {
            WeightFormat::Fp32 => "FP32",
            WeightFormat::Bf16 => "BF16",
            WeightFormat::Fp16 => "FP16",
            WeightFormat::Fp8 => "FP8",
            WeightFormat::Fp8Block => self.pick("FP8, blocks of 128 × 128", "FP8，按 128 × 128 分块"),
            WeightFormat::Int8 => "INT8",
            WeightFormat::Int4G128 => self.pick("INT4, groups of 128 (AWQ)", "INT4，每组 128（AWQ）"),
            WeightFormat::Nf4 => "NF4",
            WeightFormat::Nf4Dq => self.pick("NF4, double quantisation", "NF4，双重量化"),
            other => other.name(),
        }
    }

    /// A format of the key-value cache.
    pub fn cache_format(self, format: CacheFormat) -> &'static str {
        match format {
            CacheFormat::Bf16 => "BF16",
            CacheFormat::Fp16 => "FP16",
            CacheFormat::Fp8 => "FP8",
            CacheFormat::Int8 => "INT8",
            other => other.name(),
        }
    }

    /// What counts as model FLOPs.
    pub fn convention(self, convention: FlopsConvention) -> &'static str {
        match convention {
            FlopsConvention::Palm => "PaLM",
            FlopsConvention::Megatron => "Megatron-LM",
            FlopsConvention::Torchtitan => "torchtitan",
            FlopsConvention::Nemo => "NeMo",
            FlopsConvention::LlmFoundry => "llm-foundry",
        }
    }

    /// How many network cards of a node one collective uses.
    pub fn bandwidth_view(self, view: BandwidthView) -> &'static str {
        self.say(match view {
            BandwidthView::Rails => WaitText::Rails,
            BandwidthView::SingleNic => WaitText::SingleNic,
        })
    }

    /// A collective.
    pub fn collective(self, collective: Collective) -> &'static str {
        match collective {
            Collective::AllReduce => "all-reduce",
            Collective::AllGather => "all-gather",
            Collective::ReduceScatter => "reduce-scatter",
            Collective::AllToAll => "all-to-all",
            Collective::Broadcast => self.pick("broadcast", "广播"),
            Collective::Reduce => self.pick("reduce", "归约"),
            Collective::SendRecv => self.pick("send and receive", "点对点收发"),
        }
    }

    /// Those who take part.
    pub fn group(self, group: Group) -> &'static str {
        match group {
            Group::Data => self.pick("data", "数据并行"),
            Group::Replica => self.pick("replica", "副本"),
            Group::Tensor => self.pick("tensor", "张量并行"),
            Group::Pipeline => self.pick("pipeline", "流水线并行"),
            Group::Context => self.pick("context", "上下文并行"),
            Group::Expert => self.pick("expert", "专家并行"),
        }
    }

    /// What is moved.
    pub fn payload(self, payload: Payload) -> &'static str {
        match payload {
            Payload::Weights => self.pick("weights", "权重"),
            Payload::Gradients => self.pick("gradients", "梯度"),
            Payload::Activations => self.pick("activations", "激活"),
            Payload::KeyValue => self.pick("keys and values", "键和值"),
            Payload::Tokens => self.pick("tokens", "词元"),
            Payload::Logits => "logits",
        }
    }

    /// A pass of serving.
    pub fn pass(self, pass: Pass) -> &'static str {
        match pass {
            Pass::Prefill => self.pick("prefill", "预填充"),
            Pass::Decode => self.pick("decode", "解码"),
        }
    }

    /// The text in this language, for names of a word or two.
    fn pick(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

/// Puts `parts` in the places of `{0}`, `{1}` …
pub fn fill(template: &str, parts: &[&str]) -> String {
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // A template has one digit in its brackets; a test reads them all.
        let (place, rest) = piece.split_once('}').unwrap_or(("", piece));
        text.push_str(place.parse().ok().and_then(|index: usize| parts.get(index)).unwrap_or(&""));
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<&str> {
        let mut places: Vec<&str> =
            text.split('{').skip(1).filter_map(|piece| Some(piece.split_once('}')?.0)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    #[test]
    fn both_languages_have_the_same_places() {
        fn check(text: impl Text + Copy + std::fmt::Debug) {
            let [english, chinese] = Language::ALL.map(|language| language.say(text));
            assert!(!english.trim().is_empty() && !chinese.trim().is_empty(), "{text:?} is empty");
            assert_eq!(places(english), places(chinese), "{text:?}");
            for (index, place) in places(english).iter().enumerate() {
                assert_eq!(*place, index.to_string(), "{text:?} leaves out a place");
            }
        }
        Message::ALL.iter().copied().for_each(check);
        ViewText::ALL.iter().copied().for_each(check);
        ServingText::ALL.iter().copied().for_each(check);
        PlanText::ALL.iter().copied().for_each(check);
    }

    #[test]
    fn what_is_explained_in_chinese_is_chinese() {
        let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for rule in Rule::ALL {
            assert!(is_chinese(Language::Chinese.meaning(*rule)), "{rule:?}");
        }
        for symbol in Symbol::ALL {
            assert!(is_chinese(Language::Chinese.symbol(*symbol)), "{symbol:?}");
        }
        for account in Account::ALL {
            assert!(is_chinese(Language::Chinese.account(account)), "{account:?}");
        }
    }

    #[test]
    fn templates_are_filled_in_any_order() {
        assert_eq!(fill("{1} of {0}; {0}", &["a", "b"]), "b of a; a");
        assert_eq!(fill("none", &["a"]), "none");
    }

    #[test]
    fn tags_are_read_by_their_language() {
        assert_eq!(Language::from_tag("zh-Hans-CN"), Some(Language::Chinese));
        assert_eq!(Language::from_tag("EN_gb"), Some(Language::English));
        assert_eq!(Language::from_tag("fr"), None);
    }
}

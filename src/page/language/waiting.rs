//! The texts about waiting and what it costs: what would hide a collective, the two views of a node's network, rules of the
//! field, the bill of a run.

use vram_ledger::answer::{Group, Heuristic};

use super::{Language, Text};

macro_rules! texts {
    ($($(#[$doc:meta])* $text:ident = $english:literal, $chinese:literal;)+) => {
        /// A text of these parts of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum WaitText { $($(#[$doc])* $text),+ }

        #[cfg(test)]
        impl WaitText {
            /// Every text.
            pub const ALL: &'static [WaitText] = &[$(WaitText::$text),+];
        }

        impl Text for WaitText {
            fn in_language(self, language: Language) -> &'static str {
                match self { $(WaitText::$text => language.pick($english, $chinese)),+ }
            }
        }
    };
}

texts! {
    /// Column: what would hide a line of traffic.
    HidesColumn = "what would hide it", "怎样才能掩盖";
    /// How long a step may take: usual, at the most.
    StepBand = "A step takes {0}; runs that were measured took up to {1}. The estimate knows nothing of slow nodes, data loading and failures, so it errs to one side.",
        "每步 {0}；实测中最长可达 {1}。估算不包含慢节点、数据加载和故障，因此只会偏快。";
    /// The other view of a node's network: its name, time of a step, waiting share.
    OtherView = "With the other count of a node's network, {0}, the same step takes {1} and waits {2} of it.",
        "若按另一种节点网络口径（{0}），同一步需要 {1}，等待占 {2}。";
    /// What the views are.
    TwoViews = "One tensor sent around a ring leaves a node through all of its network cards at once: that is what runs of FSDP and NCCL show (rails). With one card to leave by, as on older clusters or where only one GPU of a node takes part, it takes as much longer (single card). The truth lies between the two.",
        "沿环传输一个张量时，数据会同时经节点的所有网卡送出：FSDP 和 NCCL 的实测即如此（多轨）。若只能用一张网卡，如旧集群，或每个节点只有一块 GPU 参与，则相应变慢（单卡）。实际介于两者之间。";
    /// All cards of a node.
    Rails = "all cards of a node", "节点的所有网卡";
    /// One card of a node.
    SingleNic = "one card of a node", "节点的一张网卡";
    /// Heading of the rules.
    RulesHeading = "What the field would say", "业界经验";
    /// There is nothing to say.
    NoRules = "None of the rules of thumb that are checked speaks against this layout.", "所检查的经验法则都不反对这一布局。";
    /// What a change does: what, seconds of a step, bytes of the peak.
    RuleEffect = "{0}: a step of {1} instead of {2}, peak {3}", "{0}：每步 {2} 变为 {1}，峰值 {3}";
    /// Bytes more or less.
    Less = "{0} lower", "降低 {0}";
    /// Bytes more.
    More = "{0} higher", "升高 {0}";
    /// No difference.
    Same = "the same", "不变";
    /// Where a rule was read, and how much stands behind it.
    RuleSource = "{0} ({1})", "{0}（{1}）";
    /// Several sources.
    SeveralSources = "several sources", "多个来源";
    /// One source.
    OneSource = "one source", "单一来源";
    /// Heading of the bill.
    RunHeading = "The whole run", "整个训练";
    /// No token budget.
    NoRun = "Say how many tokens the run has (under Cluster) to see days, GPU-hours and cost.", "在“集群”里填入总词元数，即可看到天数、GPU 小时和费用。";
    /// Tokens, days, days at most, GPU-hours.
    RunTakes = "{0} tokens take {1} days on {2}, up to {3}: {4} GPU-hours.", "{0} 词元在 {2} 上需要 {1} 天，最多 {3} 天：{4} GPU 小时。";
    /// Cost, at most.
    RunCosts = "That costs {0}, up to {1}.", "费用 {0}，最多 {1}。";
    /// Size of a checkpoint.
    CheckpointSize = "A checkpoint is {0}: weights, master weights and moments of the whole model.", "一个检查点 {0}：整个模型的权重、主权重和动量。";
    /// Time to write it.
    CheckpointTakes = "Writing it takes {0}.", "写入需要 {0}。";
    /// Interval and loss.
    CheckpointEvery = "It is best written every {0}; {1} of the time then goes to writing and to work done again after failures.", "最佳间隔为 {0}；写入和故障后的重算共占 {1} 的时间。";
    /// Control.
    RunTokens = "Tokens of the run", "总词元数";
    /// Control.
    Price = "Price of a GPU-hour", "每 GPU 小时价格";
    /// Control.
    Mtbf = "Hours between failures of a GPU", "单块 GPU 平均无故障小时数";
    /// Control.
    Storage = "Checkpoint bytes a second", "检查点写入速度（字节每秒）";
    /// Control.
    NetworkView = "Network cards a collective uses", "集合通信可用的网卡";
    /// Control.
    TensorOverlap = "Share of tensor collectives hidden", "张量并行通信被掩盖的比例";
    /// Control.
    DataOverlap = "Share of data traffic that may hide", "数据并行通信可被掩盖的比例";
    /// Control.
    Convention = "Model FLOPs counted as in", "模型 FLOPs 的口径";
    /// Control.
    ZeroPlusWeights = "ZeRO++: weights travel in 8 bits", "ZeRO++：权重以 8 位传输";
    /// Control.
    ZeroPlusGradients = "ZeRO++: gradients travel in 4 bits", "ZeRO++：梯度以 4 位传输";
    /// Control.
    ZeroPlusCopy = "ZeRO++: a copy of the weights in every node", "ZeRO++：每个节点另存一份权重";
    /// Legend of the waiting curves.
    OverNetwork = "over {0}", "经 {0}";
    /// Where the curves part: GPUs.
    Crossover = "From {0} GPUs on the slower network costs more than a tenth of the step.", "从 {0} 块 GPU 起，较慢的网络使等待多占一成以上。";
}

impl Language {
    /// What would hide the traffic of a group.
    pub fn hides(self, group: Group, serving: bool) -> &'static str {
        match group {
            Group::Tensor if serving => {
                self.pick("nothing: fewer ranks and more replicas wait less", "无法掩盖：减少路数、增加副本可少等")
            }
            Group::Expert | Group::Pipeline if serving => {
                self.pick("batches in two halves that take turns", "把批次分成两半交替执行")
            }
            Group::Data => self.pick(
                "larger micro-batches or sequences; sharding within a node",
                "更大的微批或更长的序列；在节点内分片",
            ),
            Group::Replica => self.pick("more micro-batches a step", "每步更多微批"),
            Group::Tensor => self.pick(
                "products cut in pieces (tensor overlap); fewer tensor ranks",
                "把矩阵乘切块与通信重叠；减少张量并行数",
            ),
            Group::Pipeline => {
                self.pick("more micro-batches: only filling and draining waits", "更多微批：只有填充和排空时在等待")
            }
            Group::Context => self.pick("a ring, whose blocks travel while the last one is used", "环形方式：边算边传"),
            Group::Expert => self.pick(
                "a schedule made for it (DualPipe); experts within a node",
                "专门的调度（DualPipe）；专家放在节点内",
            ),
        }
    }

    /// A rule of the field, with places for its numbers.
    pub fn heuristic(self, rule: Heuristic) -> &'static str {
        match self {
            Language::English => rule.says(),
            Language::Chinese => in_chinese(rule),
        }
    }

    /// What speaks against a rule, where sources disagree.
    pub fn heuristic_but(self, rule: Heuristic) -> Option<&'static str> {
        let english = rule.but()?;
        Some(match (self, rule) {
            (Language::Chinese, Heuristic::ShardedPipeline) => {
                "不过 Llama 3 和 torchtitan 确实这样组合：微批之间保留完整权重，或微批很少"
            }
            (Language::Chinese, Heuristic::ExpertsInNode) => {
                "不过 DeepSeek-V3 把专家分到 64 块 GPU，并用边传边算的调度"
            }
            _ => english,
        })
    }
}

fn in_chinese(rule: Heuristic) -> &'static str {
    match rule {
        Heuristic::TensorInNode => "{0} 路张量并行超出了 {1} 块 GPU 的节点：每一层都要等网络，占每步的 {2}",
        Heuristic::TensorTooNarrow => "{0} 路张量并行的等待占每步 {1}：隐藏维度 {2} 对这么多路来说太窄",
        Heuristic::TensorForASmallModel => "{0} 参数在该节点的单块 GPU 上放得下，不必用 {1} 路张量并行切分",
        Heuristic::PipelineBubble => "{0} 个微批经过 {1} 个阶段，气泡占每步 {2}；每阶段四个微批可使其低于四分之一",
        Heuristic::ShardedPipeline => "{0} 与流水线一起用，每步要在数据并行组内传 {1}；ZeRO-1 只传一次",
        Heuristic::ShardingExposed => "{0} 的聚合与散发等待占每步 {1}：每个微批 {2} 个词元，不足以掩盖",
        Heuristic::AccumulatedSharding => "{0} 个微批每步要聚合权重 {0} 次；更大的微批可减少次数",
        Heuristic::ShardWithinNode => "模型状态 {0} 在 {1} 块 GPU 的节点内放得下，跨节点聚合的等待却占每步 {2}",
        Heuristic::LongRing => "{0} 块 GPU 的环每步要启动 {1} 次集合通信：{2} 的时间花在环长上，而不是字节上",
        Heuristic::RecomputesTooMuch => "不需要{0}：减少重算后峰值为 {1}，可用 {2}",
        Heuristic::SelectiveInstead => "全部重算会重复每一个矩阵乘；选择性重算只重复注意力核心，同样放得下",
        Heuristic::ExpertsInNode => "专家分布在 {0} 块 GPU 上，跨 {1} 块的节点交换词元：占每步 {2}",
        Heuristic::ContextForLength => "{0} 词元的序列使单块 GPU 保存 {1} 激活；上下文并行可以切分",
        Heuristic::PairOfAMesh => "网状互连的 {0} 块 GPU 每块只用七条链路中的 {0} − 1 条；八块一组才能全部用上",
        Heuristic::GradientsIn16Bits => "{0} 个 rank 的梯度以 16 位累加，小梯度会被舍入掉",
        Heuristic::CheckpointTooSlow => "写一个检查点要 {0}，超过最佳间隔 {1} 的十分之一：损失 {2} 的时间",
        Heuristic::ServingWaits => "{0} 路张量并行时每步解码等待 all-reduce {1}；减少路数、增加副本能服务更多请求",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_the_same_places_in_both_languages() {
        let places = |text: &str| -> std::collections::BTreeSet<String> {
            text.split('{').skip(1).filter_map(|piece| Some(piece.split_once('}')?.0.to_owned())).collect()
        };
        for rule in Heuristic::ALL {
            let [english, chinese] = Language::ALL.map(|language| language.heuristic(*rule));
            assert_eq!(places(english), places(chinese), "{rule:?}");
            assert_eq!(Language::English.heuristic_but(*rule).is_some(), rule.but().is_some());
            if rule.but().is_some() {
                assert_ne!(Language::Chinese.heuristic_but(*rule), rule.but(), "{rule:?} is not translated");
            }
        }
        for text in WaitText::ALL {
            let [english, chinese] = Language::ALL.map(|language| language.say(*text));
            assert_eq!(places(english), places(chinese), "{text:?}");
        }
    }
}

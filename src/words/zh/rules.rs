//! What the bytes of each rule of the ledger are.

use crate::ledger::Rule;

/// What the bytes of a rule are.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::StateWeights => "前向和反向计算所用的权重。ZeRO-3 将其按分片数均分。",
        Rule::StateGradients => "每个参数一个梯度，保留到优化器更新为止。ZeRO-2 及以上将其按分片数均分。",
        Rule::StateMasterWeights => {
            "权重的 FP32 副本。比权重小得多的更新在 16 位格式里会被舍入掉，因此加到这份副本上。"
        }
        Rule::StateMomentum => "梯度的滑动平均。每步只加入新梯度的十分之一，用 16 位存储往往会被舍入掉。",
        Rule::StateVariance => "梯度平方的滑动平均。每步只加入新平方的千分之一甚至更少。",
        Rule::StateExperts => {
            "该科目中专家的部分。每个 rank 完整持有若干专家；持有相同专家的 rank 自成一个较小的数据并行组。"
        }
        Rule::LargestGradient => "每个张量在梯度算出后立即更新，因此同一时刻只有一个梯度。",
        Rule::NewGradient => "最新算出、尚未累加的权重梯度；自行累加的内核不需要它。",
        Rule::AdapterWeights => "每个被适配矩阵旁的两个低秩矩阵。只有它们有梯度和动量。",
        Rule::FrozenQuantised => "注意力和 MLP 的冻结矩阵，以 NF4 及其缩放因子存储。",
        Rule::FrozenRest => "冻结的嵌入、输出层、归一化和偏置，不做量化。",
        Rule::Dequantised => "正在参与矩阵乘的那一个冻结矩阵，还原为 16 位。",
        Rule::MomentsBlockwise8bit => {
            "用 8 位存储的一份动量，每块配一个 FP32 缩放因子；不足 4,096 个元素的张量仍用 FP32。"
        }
        Rule::MomentsOneDimension => {
            "每个隐藏层矩阵只存它在一个维度上投影的一个动量，另加一个数；其余参数的动量仍完整保存。"
        }
        Rule::VarianceFactored => "矩阵的二阶动量只存一行与一列的 FP32 和；向量仍完整保存。",
        Rule::StepTemporaries => "更新权重之前新生成的张量：所有张量一起，或逐个张量。融合的更新没有这一项。",
        Rule::VarianceOutsideMuon => "Muon 的隐藏层矩阵不需要二阶动量；嵌入、输出层、归一化和偏置仍用 Adam，各自保留。",
        Rule::GatheredWeights => "计算某一层时要把分片权重拼回完整：正在算的一层、预取的一层，以及嵌入和输出层。",
        Rule::SecondaryPartition => "每个节点另存一份完整权重，由节点内各 rank 分担；反向时从这里聚合。",
        Rule::UnshardedGradients => "正在计算的各层的完整梯度，归约并分发到各分片后释放。",
        Rule::WaitingGradients => "整个流水线阶段的完整梯度，等到最后一个微批才归约并分发。",
        Rule::LiveParameters => "同时处于完整状态的分片权重（有上限），以及预取的权重。",
        Rule::Buckets => "梯度和权重收发所经过的连续缓冲区。",
        Rule::PipelineBuffers => "从前一个和后一个流水线阶段收到的数据。",
        Rule::ContextBuffers => {
            "从其他上下文并行 rank 收到的、同时存在的数据：环形为两块键和值，全收集为全部，全对全为一块。"
        }
        Rule::NormInputs => "各归一化层的输入，反向时要用。",
        Rule::NormUpcast => "未融合的归一化会另存 FP32 输入，以及归一化后的值。",
        Rule::NormOutputs => "注意力和 MLP 第一个矩阵乘的输入，计算权重梯度时要用。",
        Rule::HeadNormInputs => "逐头归一化之前的查询和键。",
        Rule::QueriesKeysValues => "查询、键和值，注意力的反向三者都要。",
        Rule::SoftmaxStatistics => "每个词元、每个头一个 FP32 数，FlashAttention 据此分块重算分数。",
        Rule::AttentionScores => "每个查询对每个键的 softmax，随序列长度平方增长。",
        Rule::ScoreDropout => "注意力分数 dropout 的掩码（1 字节）和结果（2 字节）。",
        Rule::AttentionOutput => "输出投影的输入。",
        Rule::ExchangedOutput => "注意力在按头分布时的输出，全对全换回之前的那一份。",
        Rule::MlpHidden => "MLP 激活函数的输入：门控 MLP 为 gate 和 up 两个张量，普通 MLP 为一个。",
        Rule::MlpProduct => "下投影的输入。",
        Rule::ExpertInputs => "按路由复制给各专家的词元。",
        Rule::Latents => "潜在注意力的窄向量：其归一化的输入，以及交给展开矩阵乘的输出。",
        Rule::RouterScores => "每个词元对每个专家的概率。",
        Rule::ExpertHidden => "专家内部激活函数的输入。",
        Rule::ExpertProduct => "专家下投影的输入。",
        Rule::ExpertOutputs => "专家的输出，计算路由概率的梯度时要用。",
        Rule::SharedInputs => "共享专家的输入。",
        Rule::FurtherKept => "特殊层保留的内容：线性注意力、状态空间、注意力输出上的门控、另一宽度的 MLP。",
        Rule::IndexerHidden => "索引器的查询、键和各头权重，以及其键归一化的输入。",
        Rule::AdapterHidden => "每个适配器中间的低秩向量。",
        Rule::AdapterDropout => "每个适配器之前 dropout 的掩码和结果，各存一份。",
        Rule::ProductOutputs => "按算子重计算时不重复的那些矩阵乘的结果。",
        Rule::HiddenDropout => "残差流上两处 dropout 的 1 字节掩码。",
        Rule::Checkpoints => "全部重算时，每层只保留输入。",
        Rule::FirstLayer => "最后做反向的那一层仍保留的激活。",
        Rule::EmbeddingNorm => "嵌入之后归一化的输入。",
        Rule::FinalNorm => "输出层之前归一化的输入和输出。",
        Rule::EmbeddingDropout => "嵌入之后 dropout 的 1 字节掩码。",
        Rule::LossLogits => "logits 及计算损失时的中间结果。融合实现原地改写为梯度；逐算子实现另存 FP32 副本。",
        Rule::PredictionLogits => "预测更后面词元的各个损失为反向保存的内容，每个都有同样多的 logits。",
        Rule::LossHiddenGradient => "损失与输出层融合计算时，只需保存隐藏状态的梯度，不必保存 logits。",
        Rule::LossWaiting => "先前各微批的损失在反向开始之前所保留的内容。",
        Rule::RecomputedLayer => "重计算时恢复出来的激活，一次一层。",
        Rule::GatheredInput => "序列并行时，算权重梯度要把矩阵乘的输入重新收集完整，它传出的梯度在分发之前也是完整的。",
        Rule::GradientsInFlight => "反向途中正在传递的激活梯度。",
        Rule::LibraryWorkspace => "矩阵运算库在框架分配器内占用的工作区。",
        Rule::WeightGradientWorkspace => "融合梯度累加时交给自动求导的占位梯度。",
        Rule::DeviceContext => "设备上下文和已加载的内核，不归分配器管理。",
        Rule::Communicators => "各通信域的缓冲区，不归分配器管理。",
        Rule::AllToAll => "首次 all-to-all 建立的缓冲区，每对 rank 一份。",
        Rule::AllocatorSlack => "分配器持有、但因碎片而用不上的显存。",
        Rule::ServedLinear => "注意力和 MLP 的矩阵，按推理格式存储。",
        Rule::ServedRest => "嵌入、输出层、归一化和偏置；量化格式通常让它们保持 16 位。",
        Rule::ServedMix => "GGUF 文件中按同一块格式存储的张量；归一化和偏置为 32 位。",
        Rule::ServedScales => "各组之外、把量化权重还原为数值所需的数据。",
        Rule::RotaryTable => "每个位置的正弦和余弦，引擎把它与权重放在一起。",
        Rule::CacheScales => "量化缓存中位于各行之外的缩放因子。",
        Rule::IndexerCache => "索引器据以挑选注意力所看词元的键，每个请求的每个词元一份；每个张量 rank 都有全部。",
        Rule::RecurrentState => {
            "线性注意力或状态空间为过去所有词元保留的状态：卷积最近的输入，以及每个头一个 fp32 矩阵；每个草稿词元另存一份。"
        }
        Rule::SamplerRows => "按批次最多序列数计算的 fp32 logits、排序副本和概率：vLLM 的试运行以此结束。",
        Rule::GraphTensors => "计算图同一时刻存活的隐藏状态。",
        Rule::AttentionMask => "微批中每个词元能看到哪些缓存单元。",
        Rule::TurnedCache => "注意力读取之前，一层的键和值被还原为 16 位。",
        Rule::EngineContext => "设备上下文、内核，以及引擎在张量之外占用的其他显存。",
        Rule::EngineCommunicators => "各 rank 之间通信器的缓冲区。",
        Rule::CapturedGraphs => "缓存就位之后捕获的计算图。",
        Rule::KeyValueCache => "每个请求中每个词元的键和值，按整块分配；窗口层只保留引擎所留的部分。",
        Rule::LatentCache => {
            "每个请求中每个词元的窄向量（键和值由它展开）以及键的旋转部分；每个张量并行 rank 都存全部。"
        }
        Rule::MixedLatentCache => {
            "每个请求中每个词元的窄向量，以 FP8 存放，每 128 个元素一个 fp32 缩放系数；键的旋转部分为 16 位；每个张量并行 rank 都存全部。"
        }
        Rule::PrefillTensors => "处理一段提示词时同时存活的张量。",
        Rule::PrefillScores => "朴素注意力的分数，一次一层。",
        Rule::LogitRows => "待采样词元的 logits。",
    }
}

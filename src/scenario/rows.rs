//! Every setting of the question, one row each, in the order in which people meet them.
//!
//! A row is `Id field: kind(…) in Section;` with the kinds
//!
//! - `whole(least, most; default; Quantity)` and `real(…)`: a number within a range,
//! - `name(Enum; default)`: one of a closed list,
//! - `switch(default)`: on or off,
//! - `own(Type)`: a list or an object, which [`crate::resolve`] reads itself.
//!
//! The default is `default value` where it is always the same, `derived` where [`crate::resolve`] fills it in from the
//! rest of the question, and `absent` where leaving the setting out means something that has no value of its own.
//! A row without a section has no control of its own on the page. A row may end in `unless other = Value`: with that
//! value of another setting of its part, a name with a default of its own, it means nothing and is refused.
//!
//! The rows are handed to a macro of whoever makes something of all of them: [`super::settings`] makes the structures
//! and their reading, [`crate::words`] what their values are called.

macro_rules! rows {
    ($then:ident) => {
        $then! {
            /// Everything that can be asked; `{}` is the opening state.
            Scenario {
                path: "",
                given: |scenario| Some(scenario),
                slot: |scenario| scenario,
                types: CheckedScenario DerivedScenario SettledScenario,
                parts: { cluster: Cluster, training: Training, inference: Inference },

                /// The model: a parameter count, a catalogue id, or the keys of a `config.json`.
                Model model: own(ModelChoice) in Above;
                /// The profile of defaults.
                Framework framework: name(Framework; default Framework::Textbook) in InSight;
            }

            /// The machines.
            Cluster {
                path: "cluster.",
                given: |scenario| scenario.cluster.as_ref(),
                slot: |scenario| scenario.cluster_mut(),
                types: CheckedCluster DerivedCluster SettledCluster,
                parts: {},

                /// A catalogue id or the figures of a GPU.
                Gpu gpu: own(GpuChoice) in Above;
                /// GPUs in all.
                Gpus gpus: whole(1, MOST_GPUS; default 1; Count) in Above;
                /// GPUs joined by the fast link.
                GpusPerNode gpus_per_node: whole(1, 1 << 12; default 8; Count) in Cluster;
                /// The link inside a node.
                Link link: own(LinkChoice);
                /// The network between nodes.
                Network network: own(LinkChoice) in Cluster;
                /// How many network cards of a node one collective can use.
                BandwidthView bandwidth_view: name(BandwidthView; default BandwidthView::Rails) in Cluster;
                /// Achievable share of memory bandwidth. Where it is not given: what an optimiser step that only streams
                /// memory was seen to reach.
                MemoryEfficiency memory_efficiency: real(0.01, 1.0; default 0.80; Share);
                /// Bytes of each GPU to leave free.
                ReserveBytes reserve_bytes: real(0.0, 1e18; default 0.0; Bytes);
                /// Price of one GPU for an hour.
                PricePerGpuHour price_per_gpu_hour: real(0.0, 1e12; absent; Factor) in Cluster;
                /// Mean time between failures of one GPU, in hours.
                GpuMtbfHours gpu_mtbf_hours: real(1.0, 1e12; absent; Count) in Cluster;
                /// Bytes a second with which the whole job writes a checkpoint.
                StorageBandwidth storage_bandwidth: real(1.0, 1e18; absent; Bytes) in Cluster;
            }

            /// The training half.
            Training {
                path: "training.",
                given: |scenario| scenario.training.as_ref(),
                slot: |scenario| scenario.training_mut(),
                types: CheckedTraining DerivedTraining SettledTraining,
                parts: {},

                /// Bytes a parameter in each account.
                Recipe recipe: own(RecipeChoice) in InSight;
                /// What the data-parallel ranks share out.
                Sharding sharding: name(Sharding; derived) in InSight;
                /// Sequences in a micro-batch.
                MicroBatch micro_batch: whole(1, 1 << 16; default 1; Count) in Training;
                /// Sequences in an optimiser step.
                GlobalBatch global_batch: whole(1, MOST_SEQUENCES; derived; Count) in Training;
                /// Tokens in a sequence.
                TrainingSequence sequence: whole(1, MOST_TOKENS; default 4096; Tokens) in Training;
                /// Share of tokens that are not padding.
                Packing packing: real(0.001, 1.0; default 1.0; Share) in Training;
                /// What is computed a second time in backward.
                Recompute recompute: name(Recompute; default Recompute::None) in Training;
                /// Layers of each stage that are recomputed.
                RecomputeLayers recompute_layers: whole(0, 1 << 14; derived; Count) in Training;
                /// Whether attention scores are materialised.
                TrainingAttention attention: name(Attention; default Attention::Flash) in Training;
                /// Which kernels run a layer.
                Kernels kernels: name(Kernels; derived) in Training;
                /// How the loss is computed.
                Loss loss: name(Loss; derived) in Training;
                /// Chunks of a chunked loss.
                LossChunks loss_chunks: whole(1, 1 << 16; default 8; Count) in Training;
                /// The optimiser.
                Optimizer optimizer: name(Optimizer; default Optimizer::AdamW) in Training;
                /// How the weights are updated.
                OptimizerStep optimizer_step: name(OptimizerStep; default OptimizerStep::Fused) in Training;
                /// Whether each tensor is updated during backward, as soon as its gradient is complete.
                OptimizerInBackward optimizer_in_backward: switch(default false) in Training;
                /// Whether optimiser states lie in host memory until they are needed.
                PagedOptimizer paged_optimizer: switch(default false) in Training;
                /// Whether weight gradients are added up inside the matrix product's kernel.
                GradientAccumulationFusion gradient_accumulation_fusion: switch(derived) in Training;
                /// Format of the matrix products.
                Compute compute: name(ComputeFormat; derived) in Training;
                /// Format in which gradients travel; the recipe's where it is absent.
                ReduceDtype reduce_dtype: name(ReduceFormat; absent) in Training;
                /// The vocabulary is padded to a multiple of this × tensor.
                VocabMultiple vocab_multiple: whole(1, 1 << 20; default 1; Count) in Training;
                /// Dropout probability; above zero the masks are kept.
                Dropout dropout: real(0.0, 1.0; default 0.0; Share) in Training;
                /// What is moved to host memory.
                Offload offload: name(Offload; default Offload::None) in Training;
                /// Share of the optimiser's states (master weights and both moments) that offloading moves to host memory;
                /// the remainder stays on the GPU and is updated there. Whole tensors are moved (Megatron-Core's
                /// `optimizer_offload_fraction`: `HybridDeviceOptimizer` in core/optimizer/cpu_offloading) or whole groups
                /// of them (DeepSpeed's `offload_optimizer.ratio`, Twin-Flow of ZeRO-Offload++: runtime/zero/stage3.py), so
                /// a run has the share to within one of those.
                OffloadFraction offload_fraction: real(0.0, 1.0; default 1.0; Share) in Training
                    unless offload = Offload::None;
                /// Whether what layers keep for backward is moved to host memory.
                ActivationOffload activation_offload: switch(default false) in Training;
                /// Low-rank adapters.
                Adapter adapter: own(Adapter);
                /// Tensor-parallel ranks.
                TrainingTensor tensor: whole(1, MOST_GPUS; default 1; Count) in Layout;
                /// Whether the parts tensor parallelism leaves whole are split by tokens.
                SequenceParallel sequence_parallel: switch(derived) in Layout;
                /// Pipeline stages.
                TrainingPipeline pipeline: whole(1, MOST_GPUS; default 1; Count) in Layout;
                /// Order of micro-batches in the pipeline.
                Schedule schedule: name(Schedule; default Schedule::OneForwardOneBackward) in Layout;
                /// Chunks of layers a stage holds.
                VirtualStages virtual_stages: whole(1, MOST_LAYERS; derived; Count) in Layout;
                /// Layers of each stage.
                LayersPerStage layers_per_stage: own(Vec<Number>);
                /// Context-parallel ranks.
                ContextParallel context: whole(1, MOST_GPUS; default 1; Count) in Layout;
                /// How a sequence is split over context ranks.
                ContextMethod context_method: name(ContextMethod; default ContextMethod::Ring) in Layout;
                /// Ranks over which the experts of a layer are spread.
                TrainingExpert expert: whole(1, MOST_GPUS; default 1; Count) in Layout;
                /// Tensor-parallel ranks inside an expert.
                ExpertTensor expert_tensor: whole(1, MOST_GPUS; default 1; Count) in Layout;
                /// Capacity factor when tokens are padded or dropped; where it is absent no token is.
                ExpertCapacity expert_capacity: real(0.01, 1e5; absent; Factor) in Layout;
                /// Tokens of the most loaded rank over the mean.
                ExpertImbalance expert_imbalance: real(1.0, 1e5; default 1.0; Factor) in Layout;
                /// Format of dispatched tokens.
                ExpertDispatch expert_dispatch: name(DispatchFormat; default DispatchFormat::Bf16) in Layout;
                /// Ranks that share one copy with `hsdp`.
                ShardGroup shard_group: whole(1, MOST_GPUS; derived; Count) in Layout;
                /// Whether gathered weights are dropped after forward.
                ReshardAfterForward reshard_after_forward: switch(derived) in Layout;
                /// Parts of ZeRO++.
                ZeroPlusPlus zeropp: own(Vec<ZeroPlusPlus>) in Layout;
                /// Share of tensor-parallel collectives hidden behind compute.
                TensorOverlap tensor_overlap: real(0.0, 1.0; derived; Share) in Layout;
                /// Share of data-parallel traffic that may hide behind compute.
                DataOverlap data_overlap: real(0.0, 1.0; default 1.0; Share) in Layout;
                /// What counts as model FLOPs in `mfu`.
                FlopsConvention flops_convention: name(FlopsConvention; default FlopsConvention::Palm) in Cluster;
                /// Tokens of the whole run.
                RunTokens tokens: real(1.0, 1e18; absent; Parameters) in Cluster;
                /// Share of the dense peak that the model's matrix work reaches.
                TrainingCeiling mfu_ceiling: real(0.001, 1.0; absent; Share);
            }

            /// Low-rank adapters.
            Adapter {
                path: "training.adapter.",
                given: |scenario| scenario.training.as_ref().and_then(|half| half.adapter.as_ref()),
                slot: |scenario| scenario.training_mut().adapter.get_or_insert_default(),
                types: CheckedAdapter DerivedAdapter SettledAdapter,
                parts: {},

                /// LoRA or QLoRA.
                AdapterKind kind: name(AdapterKind; default AdapterKind::Lora) in Training;
                /// Rank of the adapters.
                AdapterRank rank: whole(1, 1 << 16; default 16; Count) in Training;
                /// What they are put on.
                AdapterTargets targets: own(AdapterTargets);
                /// Dropout before an adapter.
                AdapterDropout dropout: real(0.0, 1.0; default 0.0; Share);
                /// QLoRA: whether the scales of the frozen weights are quantised too.
                DoubleQuantization double_quantization: switch(derived);
            }

            /// The serving half.
            Inference {
                path: "inference.",
                given: |scenario| scenario.inference.as_ref(),
                slot: |scenario| scenario.inference_mut(),
                types: CheckedInference DerivedInference SettledInference,
                parts: {},

                /// The engine.
                Engine engine: name(Engine; default Engine::Textbook) in Requests;
                /// Tokens a request holds.
                ServingContext context: whole(1, MOST_TOKENS; default 4096; Tokens) in Requests;
                /// Requests at once, over all replicas.
                Concurrency concurrency: whole(1, 1 << 20; default 1; Count) in Requests;
                /// Tokens shared by all requests.
                SharedPrefix shared_prefix: whole(0, MOST_TOKENS; default 0; Tokens) in Requests;
                /// Tokens drafted in a step.
                DraftTokens draft_tokens: whole(0, 1 << 10; default 0; Count) in Requests;
                /// Format of the weights.
                Weights weights: name(WeightFormat; default WeightFormat::Bf16) in Formats;
                /// Format of the key-value cache.
                Cache kv: name(CacheFormat; default CacheFormat::Bf16) in Formats;
                /// What a latent-attention model caches.
                LatentCache mla: name(LatentCache; default LatentCache::Latent) in Formats;
                /// Whether attention scores are materialised.
                ServingAttention attention: name(Attention; default Attention::Flash) in Formats;
                /// The engine's memory budget, of what the engine takes it of; where it is absent the engine's own, which
                /// may depend on the split.
                MemoryFraction memory_fraction: real(0.001, 1.0; absent; Share) in EngineMemory;
                /// Bytes a GPU gives the cache, instead of the engine's budget.
                CacheBytes kv_cache_bytes: real(1.0, 1e18; absent; Bytes) in EngineMemory;
                /// Most sequences in a batch.
                MaxSequences max_sequences: whole(1, 1 << 20; derived; Count) in EngineMemory;
                /// Whether CUDA graphs are captured.
                CudaGraphs cuda_graphs: switch(default true) in EngineMemory;
                /// Tokens in one forward pass at most.
                PrefillChunk prefill_chunk: whole(1, MOST_TOKENS; derived; Tokens) in EngineMemory;
                /// Tokens in a block of the cache.
                Block block: whole(1, 1 << 12; derived; Count) in EngineMemory;
                /// llama.cpp: whether all slots share one cache.
                UnifiedCache kv_unified: switch(default false) in EngineMemory;
                /// llama.cpp: whether window layers are kept at full length.
                FullWindows swa_full: switch(default false) in EngineMemory;
                /// llama.cpp: rows of fp32 logits reserved in a pass; one a request where it is absent.
                LogitsRows logits_rows: whole(1, MOST_TOKENS; absent; Count) in EngineMemory;
                /// Tensor-parallel ranks of one replica.
                ServingTensor tensor: whole(1, MOST_GPUS; derived; Count) in Split;
                /// Pipeline stages of one replica.
                ServingPipeline pipeline: whole(1, MOST_GPUS; derived; Count) in Split;
                /// Ranks over which routed experts are spread.
                ServingExpert expert: whole(1, MOST_GPUS; default 1; Count) in Split;
                /// Whether attention is split by request over the tensor ranks.
                DataParallelAttention data_parallel_attention: switch(default false) in Split;
                /// Share of the dense peak that the model's matrix work reaches.
                ServingCeiling mfu_ceiling: real(0.001, 1.0; absent; Share);
            }
        }
    };
}

pub(crate) use rows;

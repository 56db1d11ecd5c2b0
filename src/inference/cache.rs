//! What one GPU caches of past tokens, layer by layer.

use crate::answer::LayerKind;
use crate::engines::{Storage, Traits, Windows};
use crate::ledger::{Account, Entry, Rule};
use crate::model::Architecture;
use crate::names::{CacheFormat, LatentCache};
use crate::plan::InferencePlan;
use crate::units::Bytes;

/// Bytes of a cached number, the numbers that share a scale inside them, and bytes of scales beside a row.
///
/// The named blocks are ggml's, of 32; `q8_kv` is ik_llama.cpp's: a byte and 8 more a row (its pull request 240). FP8 and
/// INT8 have one scale a tensor, which is nothing beside them, but for engines whose traits say otherwise of INT8; INT4 has
/// an fp16 scale and zero a head, as in LMDeploy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cached {
    /// Bytes a number.
    pub bytes: f64,
    /// A row is a whole number of such blocks.
    pub block: u64,
    /// Bytes beside each row of all heads.
    pub row: f64,
    /// Bytes beside each head.
    pub head: f64,
}

/// The layout of a cache format.
#[must_use]
pub const fn cached(format: CacheFormat) -> Cached {
    const fn plain(bytes: f64) -> Cached {
        Cached { bytes, block: 1, row: 0.0, head: 0.0 }
    }
    const fn blocks(bytes: u64) -> Cached {
        Cached { bytes: bytes as f64 / 32.0, block: 32, row: 0.0, head: 0.0 }
    }
    match format {
        CacheFormat::Bf16 | CacheFormat::Fp16 => plain(2.0),
        CacheFormat::Fp8 | CacheFormat::Int8 => plain(1.0),
        CacheFormat::Int4 => Cached { head: 4.0, ..plain(0.5) },
        CacheFormat::Q8_0 => blocks(34),
        CacheFormat::Q5_1 => blocks(24),
        CacheFormat::Q5_0 => blocks(22),
        CacheFormat::Q4_1 => blocks(20),
        CacheFormat::Q4_0 | CacheFormat::Iq4Nl => blocks(18),
        CacheFormat::Q8Kv => Cached { row: 8.0, ..plain(1.0) },
    }
}

/// What the layers of a kind hold on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindBytes {
    /// The kind.
    pub kind: LayerKind,
    /// Layers of it on the fullest stage.
    pub layers: f64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// Layers with the same cache on one rank.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    /// How many, those that only fill up a group included.
    layers: f64,
    /// How many there really are.
    real: f64,
    /// Key-value heads on one rank; 1 for the row of latent attention.
    heads: f64,
    /// Width of a key.
    key: f64,
    /// Width of a value; 0 where there is none beside the key.
    value: f64,
    /// How far back it reaches.
    window: Option<f64>,
    /// Whether that is to the beginning of a chunk.
    chunked: bool,
    /// Of a latent row the elements that turn with the position, where those stay in 16 bits and the others have an fp32
    /// scale for 128 of them; 0 where all are alike.
    turned: f64,
    /// Bytes of a token beside it that an indexer keeps, on average over these layers.
    index: f64,
    /// The most tokens that a decode step reads of it, if it does not read all.
    picked: f64,
}

impl Kind {
    /// Bytes of one token of one layer, scales included, and what an indexer keeps.
    fn token(&self, format: Cached) -> f64 {
        self.keys_and_values(format) + self.index
    }

    fn keys_and_values(&self, format: Cached) -> f64 {
        if self.turned > 0.0 {
            let narrow = self.key - self.turned;
            return narrow + narrow / 32.0 + 2.0 * self.turned;
        }
        let rows = if self.value > 0.0 { 2.0 } else { 1.0 };
        format.bytes * self.heads * (self.key + self.value) + rows * (format.row + format.head * self.heads)
    }
}

/// The cache of one rank, as a function of how long and how many the requests are.
#[derive(Clone, Debug)]
pub struct Cache<'a> {
    plan: &'a InferencePlan,
    engine: &'static Traits,
    format: Cached,
    kinds: [Kind; 2],
    /// Elements of convolution and state of a linear layer on one rank, and such layers.
    state: [f64; 3],
    block: f64,
}

impl<'a> Cache<'a> {
    /// The cache of one rank of `plan`.
    #[must_use]
    pub fn new(shape: &Architecture, plan: &'a InferencePlan) -> Cache<'a> {
        let engine = plan.engine.traits();
        let ranks = if plan.data_parallel_attention { 1.0 } else { plan.tensor as f64 };
        let share = plan.layer_share(shape);
        // A rank has at least one head: there are copies where there are more ranks than heads.
        let grouped = |layers: u64, kv_heads: u64, head_dim: u64, window: Option<f64>| Kind {
            layers: layers as f64 * share,
            real: layers as f64 * share,
            heads: (kv_heads as f64 / ranks).max(1.0),
            key: head_dim as f64,
            value: head_dim as f64,
            window,
            chunked: shape.window.is_some_and(|window| window.chunked),
            turned: 0.0,
            index: 0.0,
            picked: f64::INFINITY,
        };
        let all = shape.full_attention_layers() - shape.borrowing[1];
        let mut full = match (shape.latent, shape.full_heads) {
            // Every rank needs the whole row, so every rank has it.
            (Some(latent), _) if plan.mla == LatentCache::Latent => {
                Kind { heads: 1.0, value: 0.0, ..grouped(all, 1, latent.rank + latent.rope, None) }
            }
            (Some(latent), _) => Kind { value: latent.value as f64, ..grouped(all, shape.heads, shape.head_dim, None) },
            (None, Some(other)) => grouped(all, other.kv_heads, other.head_dim, None),
            (None, None) => grouped(all, shape.kv_heads, shape.head_dim, None),
        };
        if let Some(indexer) = shape.indexer {
            // A key in FP8 and its scale, which every rank has.
            full.index = (indexer.head_dim + 4) as f64 * indexer.layers as f64 / shape.layers as f64;
            full.picked = indexer.picked as f64;
            if let (Some(latent), true, CacheFormat::Fp8, LatentCache::Latent) =
                (shape.latent, engine.mixes_latent_rows, plan.kv, plan.mla)
            {
                full.turned = latent.rope as f64;
            }
        }
        let windowed = shape.window.map_or(grouped(0, shape.kv_heads, shape.head_dim, Some(0.0)), |window| {
            grouped(window.layers - shape.borrowing[0], shape.kv_heads, shape.head_dim, Some(window.tokens as f64))
        });
        let state = shape.linear.map_or([0.0; 3], |linear| {
            let convolution = linear.width() as f64 * (linear.kernel - 1) as f64 / ranks;
            let elements = (linear.value_width() * linear.key_dim) as f64 / ranks;
            [convolution, elements, linear.layers as f64 * share]
        });
        let mut format = cached(plan.kv);
        if plan.kv == CacheFormat::Int8 {
            format.head = engine.int8_head_bytes;
        }
        let mut cache = Cache { plan, engine, format, kinds: [full, windowed], state, block: plan.block as f64 };
        if engine.groups_layers {
            cache.group_layers();
        }
        cache
    }

    /// One pool of pages for groups of as many layers, filled up with layers that do not exist; a page of attention is at
    /// least as large as the state of a linear layer.
    fn group_layers(&mut self) {
        let token = |kind: &Kind| kind.token(self.format);
        let [full, windowed] = self.kinds;
        let (few, many) = (full.layers.min(windowed.layers), full.layers.max(windowed.layers));
        if few > 0.0 && token(&full) == token(&windowed) {
            let size = if many < 1.5 * few { many } else { few };
            for kind in &mut self.kinds {
                kind.layers = (kind.layers / size).ceil() * size;
            }
        }
        if self.state[2] > 0.0 && full.layers > 0.0 {
            let tokens = (self.state_of_a_layer() / full.token(self.format) / 16.0).ceil() * 16.0;
            self.block = self.block.max(tokens);
        }
    }

    /// Bytes of an element of the convolution's part.
    fn convolution_bytes(&self) -> f64 {
        self.engine.convolution_bytes.unwrap_or(self.plan.element_bytes())
    }

    fn state_of_a_layer(&self) -> f64 {
        self.convolution_bytes() * self.state[0] + 4.0 * self.state[1]
    }

    /// Requests of a replica whose cache is on one rank.
    fn requests_here(&self, requests: f64) -> f64 {
        if self.plan.data_parallel_attention { (requests / self.plan.tensor as f64).ceil() } else { requests }
    }

    /// `tokens` filled up to whole blocks.
    fn filled(&self, tokens: f64) -> f64 {
        (tokens / self.block).ceil() * self.block
    }

    /// Cells that one slot has for all its tokens, or all slots share.
    #[must_use]
    pub fn cells(&self, context: f64, requests: f64) -> f64 {
        if self.plan.kv_unified { self.filled(self.shared_context(context, requests)) } else { self.filled(context) }
    }

    /// Tokens of all slots in one cache, a shared prefix once.
    fn shared_context(&self, context: f64, requests: f64) -> f64 {
        let prefix = (self.plan.shared_prefix as f64).min(context);
        prefix + (context - prefix) * requests
    }

    /// Tokens that each request has on a layer of a kind, how many such requests, and tokens they share.
    fn tokens(&self, kind: &Kind, context: f64, requests: f64) -> [f64; 3] {
        let here = self.requests_here(requests);
        let plan = self.plan;
        let Storage::Blocks(windows) = self.engine.storage else {
            let all = self.cells(context, requests);
            let (all, sequences) = if plan.kv_unified { (all, here) } else { (all, 1.0) };
            let reach = match kind.window {
                Some(window) if !plan.swa_full => self.filled(all.min(window * sequences + plan.prefill_chunk as f64)),
                _ => all,
            };
            return [reach, if plan.kv_unified { 1.0 } else { here }, 0.0];
        };
        // Only whole blocks are shared, and only where there is anybody to share them with.
        let prefix = (plan.shared_prefix as f64).min(context);
        let shares = self.engine.shares_prefix && requests > 1.0;
        let shared = if shares { (prefix / self.block).floor() * self.block } else { 0.0 };
        let reach = |tokens: f64| match (kind.window, windows) {
            (None, _) | (_, Windows::Whole) => self.filled(tokens),
            (Some(window), Windows::Passes) if kind.chunked => {
                self.filled(tokens.min(window + plan.prefill_chunk as f64))
            }
            (Some(window), Windows::Passes) if tokens > 0.0 => {
                self.filled(tokens.min(window - 1.0 + plan.prefill_chunk as f64)) + self.block
            }
            (Some(window), Windows::Width | Windows::Passes) => self.filled(tokens.min(window)),
        };
        [reach(context - shared), here, reach(shared)]
    }

    /// Hands every entry with requests of `context` tokens, `requests` of them on this replica, to `add`.
    pub fn enter(&self, context: f64, requests: f64, mut add: impl FnMut(Entry)) {
        for kind in &self.kinds {
            self.enter_kind(kind, context, requests, &mut add);
        }
        self.enter_states(requests, &mut add);
    }

    fn enter_kind(&self, kind: &Kind, context: f64, requests: f64, add: &mut impl FnMut(Entry)) {
        let [tokens, here, shared] = self.tokens(kind, context, requests);
        for (tokens, here) in [(tokens, here), (shared, 1.0)] {
            if kind.layers == 0.0 || tokens == 0.0 {
                continue;
            }
            let format = self.format;
            add(if kind.turned > 0.0 {
                let terms = [kind.key - kind.turned, kind.turned, tokens, here, kind.layers];
                Entry::new(Account::KvCache, Rule::MixedLatentCache, terms)
            } else if kind.value == 0.0 {
                let terms = [format.bytes, kind.key, tokens, here, kind.layers];
                Entry::new(Account::KvCache, Rule::LatentCache, terms)
            } else {
                let terms = [format.bytes, kind.heads, kind.key, kind.value, tokens, here, kind.layers];
                Entry::new(Account::KvCache, Rule::KeyValueCache, terms)
            });
            let rows = if kind.value == 0.0 { 1.0 } else { 2.0 };
            let beside = rows * (format.row + format.head * kind.heads);
            for (rule, bytes) in [(Rule::CacheScales, beside), (Rule::IndexerCache, kind.index)] {
                if bytes > 0.0 {
                    add(Entry::new(Account::KvCache, rule, [bytes, tokens, here, kind.layers]));
                }
            }
        }
    }

    fn enter_states(&self, requests: f64, add: &mut impl FnMut(Entry)) {
        if self.state[2] > 0.0 {
            let copies = (1 + self.plan.draft_tokens) as f64;
            let here = self.requests_here(requests);
            let terms = [self.convolution_bytes(), self.state[0], self.state[1], copies, here, self.state[2]];
            add(Entry::new(Account::KvCache, Rule::RecurrentState, terms));
        }
    }

    /// The same bytes by kind of layer, for the kinds there are.
    #[must_use]
    pub fn by_kind(&self, context: f64, requests: f64) -> Vec<KindBytes> {
        let mut parts = Vec::new();
        for kind in self.kinds.iter().filter(|kind| kind.layers > 0.0) {
            let mut bytes = Bytes::ZERO;
            self.enter_kind(kind, context, requests, &mut |entry| bytes += entry.bytes);
            let name = match (kind.value == 0.0, kind.window) {
                (true, _) => LayerKind::Latent,
                (false, Some(_)) => LayerKind::Windowed,
                (false, None) => LayerKind::Full,
            };
            parts.push(KindBytes { kind: name, layers: kind.real, bytes });
        }
        if self.state[2] > 0.0 {
            parts.push(KindBytes {
                kind: LayerKind::Linear,
                layers: self.state[2],
                bytes: Bytes::whole(self.state_bytes(requests)),
            });
        }
        parts
    }

    /// Bytes of the states of linear attention, which do not grow with the context.
    #[must_use]
    pub fn state_bytes(&self, requests: f64) -> f64 {
        let mut bytes = Bytes::ZERO;
        self.enter_states(requests, &mut |entry| bytes += entry.bytes);
        bytes.get()
    }

    /// Whether it holds the narrow rows of latent attention.
    #[must_use]
    pub fn is_latent(&self) -> bool {
        self.kinds.iter().any(|kind| kind.layers > 0.0 && kind.value == 0.0)
    }

    /// Bytes with requests of `context` tokens, `requests` of them on this replica.
    #[must_use]
    pub fn bytes(&self, context: f64, requests: f64) -> Bytes {
        let mut sum = Bytes::ZERO;
        self.enter(context, requests, |entry| sum += entry.bytes);
        sum
    }

    /// Bytes of keys and values that one more token adds on one rank, over all layers with a cache.
    #[must_use]
    pub fn per_token(&self) -> f64 {
        self.kinds.iter().map(|kind| kind.real * kind.keys_and_values(self.format)).sum()
    }

    /// Bytes that an indexer adds to that.
    #[must_use]
    pub fn index_per_token(&self) -> f64 {
        self.kinds.iter().map(|kind| kind.real * kind.index).sum()
    }

    /// Bytes that a sequence takes on one rank however long it is.
    #[must_use]
    pub fn per_sequence(&self) -> f64 {
        self.state[2] * self.state_of_a_layer()
    }

    /// Tokens that `pool` bytes hold, as the engine counts them: in whole blocks of all layers, beside the
    /// states of `requests`; 0 where no layer keeps anything of a token.
    #[must_use]
    pub fn capacity(&self, pool: f64, requests: f64) -> f64 {
        let token: f64 = self.kinds.iter().map(|kind| kind.layers * kind.token(self.format)).sum();
        let copies = (1 + self.plan.draft_tokens) as f64;
        let states = self.requests_here(requests) * copies * self.state[2] * self.state_of_a_layer();
        // A model that keeps nothing of a token has no such pool.
        if token > 0.0 { ((pool - states) / token / self.block).floor().max(0.0) * self.block } else { 0.0 }
    }

    /// Bytes of one block of one group of layers, the least that is handed out; 1 where layers have blocks of their own.
    #[must_use]
    pub fn page(&self) -> f64 {
        let block = |kind: &Kind| kind.layers * kind.token(self.format) * self.block;
        let [full, windowed] = &self.kinds;
        let alike =
            full.layers == 0.0 || windowed.layers == 0.0 || full.token(self.format) == windowed.token(self.format);
        if !alike || self.state[2] > 0.0 {
            return 1.0;
        }
        let page = [full, windowed].into_iter().map(block).filter(|bytes| *bytes > 0.0).fold(f64::INFINITY, f64::min);
        if page.is_finite() { page } else { 1.0 }
    }

    /// Bytes that a decode step of `requests` requests reads on one rank.
    #[must_use]
    pub fn read(&self, context: f64, requests: f64) -> f64 {
        let tokens = |kind: &Kind| kind.window.map_or(context, |window| context.min(window));
        let read =
            |kind: &Kind| kind.keys_and_values(self.format) * tokens(kind).min(kind.picked) + kind.index * tokens(kind);
        let cached: f64 = self.kinds.iter().map(|kind| kind.real * read(kind)).sum();
        self.requests_here(requests) * (cached + self.per_sequence())
    }

    /// Elements of keys and values of one token in the widest layer, over all heads of this rank.
    #[must_use]
    pub fn widest(&self) -> f64 {
        let widths =
            self.kinds.iter().filter(|kind| kind.layers > 0.0).map(|kind| kind.heads * (kind.key + kind.value));
        widths.fold(0.0, f64::max)
    }

    /// Whether numbers of the cache are turned into 16 bits before they are used.
    #[must_use]
    pub fn is_quantised(&self) -> bool {
        self.format.bytes < 2.0
    }
}

//! The machines that a plan runs on: the GPU, how many, and the links between them.

use std::borrow::Cow;
use std::ops::Deref;

use crate::hardware::Generation;
use crate::names::ComputeFormat;
use crate::scenario::SettledCluster;
use crate::units::Bytes;

/// The figures of one GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpu {
    /// Catalogue id, or `custom`.
    pub id: Cow<'static, str>,
    /// Bytes the framework sees.
    pub capacity: Bytes,
    /// Bytes a second of its memory.
    pub bandwidth: f64,
    /// Dense peak rates in FLOP/s, where the format is native.
    pub peak: Peaks,
    /// Best measured matrix product over the bf16 peak, where one was published.
    pub matmul_efficiency: Option<f64>,
    /// The generation it belongs to.
    pub generation: Generation,
}

/// Dense peak rates in FLOP/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peaks {
    /// FP32.
    pub fp32: Option<f64>,
    /// BF16.
    pub bf16: Option<f64>,
    /// FP16.
    pub fp16: Option<f64>,
    /// FP8.
    pub fp8: Option<f64>,
    /// FP4.
    pub fp4: Option<f64>,
}

impl Peaks {
    /// The rate for `format`. One that is not native runs at the next wider one's, as it has to be computed there; where
    /// there is none wider, at the widest there is.
    #[must_use]
    pub fn rate(&self, format: ComputeFormat) -> f64 {
        let half = self.bf16.or(self.fp16);
        let rate = match format {
            ComputeFormat::Fp32 => self.fp32,
            // FP16 has not the range of BF16, so a card without BF16 computes it in FP32.
            ComputeFormat::Bf16 => self.bf16.or(self.fp32),
            ComputeFormat::Fp16 => self.fp16.or(self.bf16).or(self.fp32),
            ComputeFormat::Fp8 | ComputeFormat::Mxfp8 => self.fp8.or(half),
            ComputeFormat::Nvfp4 => self.fp4.or(self.fp8).or(half),
        };
        // At least one rate is there: catalogue rows are tested for it and a GPU of its own is refused without.
        rate.or(half).or(self.fp32).unwrap_or(f64::INFINITY)
    }
}

/// The figures of a link, of one GPU and one way.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkFigures {
    /// Catalogue id, or `custom`.
    pub id: Cow<'static, str>,
    /// Bytes a second.
    pub bandwidth: f64,
    /// Seconds a message.
    pub latency: f64,
    /// Achievable share of the bandwidth.
    pub efficiency: f64,
}

/// The machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The GPU.
    pub gpu: Gpu,
    /// The link inside a node.
    pub link: LinkFigures,
    /// The network between nodes.
    pub network: LinkFigures,
    /// Everything else that can be set of them.
    pub settings: SettledCluster,
}

impl Deref for Cluster {
    type Target = SettledCluster;

    fn deref(&self) -> &SettledCluster {
        &self.settings
    }
}

impl Cluster {
    /// Bytes of each GPU that are left free.
    #[must_use]
    pub fn reserve(&self) -> Bytes {
        Bytes::whole(self.reserve_bytes)
    }

    /// Bytes of one GPU that may be used.
    #[must_use]
    pub fn usable(&self) -> Bytes {
        self.gpu.capacity - self.reserve()
    }

    /// Whether `needed` bytes and the reserve fit on one GPU.
    #[must_use]
    pub fn fits(&self, needed: Bytes) -> bool {
        needed <= self.usable()
    }
}

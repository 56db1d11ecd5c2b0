//! Generations of accelerators: what has the same matrix units, and so the same kernels.

use crate::names::names;

names! {
    /// The architecture of an accelerator, by its vendor's name. NVIDIA's are told apart by compute capability, which is
    /// what its libraries ask.
    Generation {
        /// NVIDIA's compute capability 7.0.
        Volta = "volta",
        /// NVIDIA's compute capability 7.5.
        Turing = "turing",
        /// NVIDIA's compute capabilities 8.0 and 8.6.
        Ampere = "ampere",
        /// NVIDIA's compute capability 8.9.
        Ada = "ada",
        /// NVIDIA's compute capability 9.0.
        Hopper = "hopper",
        /// NVIDIA's compute capabilities 10.0 and 10.3, for data centres.
        Blackwell = "blackwell",
        /// NVIDIA's compute capabilities 12.0 and 12.1: of the same name, without the matrix instructions of 10.0.
        RtxBlackwell = "rtx-blackwell",
        /// NVIDIA's announced successor of Blackwell.
        Rubin = "rubin",
        /// AMD's MI200.
        Cdna2 = "cdna2",
        /// AMD's MI300.
        Cdna3 = "cdna3",
        /// AMD's MI350.
        Cdna4 = "cdna4",
        /// AMD's Radeon RX 7000.
        Rdna3 = "rdna3",
        /// AMD's Ryzen AI Max.
        Rdna35 = "rdna3.5",
        /// Intel's Gaudi 2 and 3.
        Gaudi = "gaudi",
        /// Intel's Arc B.
        Xe2 = "xe2",
        /// Google's, of every version.
        Tpu = "tpu",
        /// AWS's Trainium 1 and Inferentia 2.
        NeuronCoreV2 = "neuroncore-v2",
        /// AWS's Trainium 2.
        NeuronCoreV3 = "neuroncore-v3",
        /// Huawei's Ascend.
        Ascend = "ascend",
        /// Apple's M1 to M4.
        AppleSilicon = "apple-silicon",
    }
}

impl Generation {
    /// Whether matrix libraries take the workspaces of Hopper or newer on it: PyTorch gives cuBLAS 32 MiB from compute
    /// capability 9.0 on and 8 before (aten/src/ATen/cuda/CublasHandlePool.cpp, `parseChosenWorkspaceSize`). Others are
    /// counted like Ampere, for want of a measurement.
    #[must_use]
    pub fn has_workspaces_of_hopper(self) -> bool {
        match self {
            Generation::Hopper | Generation::Blackwell | Generation::RtxBlackwell | Generation::Rubin => true,
            Generation::Volta
            | Generation::Turing
            | Generation::Ampere
            | Generation::Ada
            | Generation::Cdna2
            | Generation::Cdna3
            | Generation::Cdna4
            | Generation::Rdna3
            | Generation::Rdna35
            | Generation::Gaudi
            | Generation::Xe2
            | Generation::Tpu
            | Generation::NeuronCoreV2
            | Generation::NeuronCoreV3
            | Generation::Ascend
            | Generation::AppleSilicon => false,
        }
    }
}

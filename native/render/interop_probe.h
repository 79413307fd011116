#pragma once

#include <string>
#include <vector>

#include "libav/encode/video/encoder_probe.h"
#include "libav/hardware/decode/decoder_probes.h"

namespace framewright {

// Whether frames drawn by a graphics device reach its encoders without passing through main memory.
struct InteropReport {
  std::string name;  // of a backend, such as "cuda"
  bool available = false;
  std::string reason;  // why not; when available, the encoder that it was probed with
};

// Probes every interop backend with small frames. Opens nothing for a backend that supports none of the
// available `encoders`.
std::vector<InteropReport> probeInteropBackends(const std::vector<EncoderProbeResult>& encoders);

// Whether decoded frames stay on the device that composes, by decoding device. Opens nothing on hosts without
// a decoding device.
std::vector<DecodeInteropProbe> probeDecodeInterops();

}  // namespace framewright

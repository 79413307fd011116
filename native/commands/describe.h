#pragma once

#include <string>
#include <vector>

#include "libav/demux/probe.h"
#include "libav/encode/video/encoder_probe.h"
#include "render/outputs/render_outputs.h"
#include "render/render.h"

// Command results as JSON objects; src/engine/native-binding.ts declares their types.
namespace framewright {

std::string describe(const MediaMetadata& media);
std::string describe(const AudioResult& audio);
std::string describe(const Beats& beats);
std::string describe(const SegmentResult& segment);
std::string describe(const MuxResult& output);
std::string describe(const RenderedOutputs& rendered);
std::string describe(const EncoderProbeResult& encoder);

// Opens every encoder, compositor, interop backend and decoder once and describes which ones work.
std::string describeCapabilities();

}  // namespace framewright

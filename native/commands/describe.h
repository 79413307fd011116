#pragma once

#include <string>
#include <vector>

#include "core/output_file.h"
#include "libav/demux/probe.h"
#include "libav/encode/video/encoder_probe.h"
#include "render/render.h"

// Command results as JSON objects; src/engine/native-binding.ts declares their types.
namespace framewright {

std::string describe(const MediaMetadata& media);
std::string describe(const AudioResult& audio);
std::string describe(const Beats& beats);
std::string describe(const SegmentResult& segment);
std::string describe(const MuxResult& output);
std::string describe(const std::vector<OutputFileResult>& outputs);
std::string describe(const EncoderProbeResult& encoder);

// Opens every encoder, compositor, interop backend and decoder once and describes which ones work.
std::string describeCapabilities();

}  // namespace framewright

#pragma once

#include "timeline/json_reader.h"

namespace framewright {

// Reads a clip's effects. The caller sets the mask's source and id.
ClipEffects readEffects(JsonReader& reader, const Json& clip, const std::string& path);
std::optional<Waveform> readWaveform(JsonReader& reader, const Json& clip, const std::string& path);

}  // namespace framewright

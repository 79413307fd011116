#pragma once

#include "timeline/json_reader.h"

namespace framewright {

// A clip's members that are effects. The mask's source and id are left to the caller, who knows the others.
ClipEffects readEffects(JsonReader& reader, const Json& clip, const std::string& path);
std::optional<Waveform> readWaveform(JsonReader& reader, const Json& clip, const std::string& path);

}  // namespace framewright

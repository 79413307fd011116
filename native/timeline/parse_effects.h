#pragma once

#include "timeline/json_reader.h"

namespace framewright {

// Reads the effects of a clip. The caller sets the source of the grade, and the source and id of the mask.
ClipEffects readEffects(JsonReader& reader, const Json& clip, const std::string& path);

}  // namespace framewright

#pragma once

#include <string>

#include "timeline/json_reader.h"
#include "timeline/timeline.h"

namespace framewright {

// Reads the sound effects of an audio clip into `clip`. `path`: JSON path of the clip.
void readSoundEffects(JsonReader& reader, const Json& value, const std::string& path, AudioClip& clip);

}  // namespace framewright

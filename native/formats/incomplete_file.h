#pragma once

#include <cstdint>
#include <string_view>

#include "formats/matroska_structure.h"

namespace framewright {

// Whether a file stops within an element of its container, as a download that was interrupted or a recording
// that was not closed. `container`: "mp4", "matroska", "mpegts", "mpeg" (MPEG-PS), "flv", "ogg", "aac" (ADTS),
// "wav", "w64", "aiff" or "au"; false for others.
bool stopsWithinElement(std::string_view container, int64_t fileBytes, const ReadAt& read);

// Whether an MP4 file stores its samples in fragments, so that its header does not declare all of them.
bool isFragmentedMp4(int64_t fileBytes, const ReadAt& read);

}  // namespace framewright

#pragma once

#include <optional>
#include <string>

#include "core/mastering_display.h"
#include "core/result.h"

namespace framewright {

// The mastering display of a video file with PQ: that of the container, or else of the first frame, or else a
// usual one. Nullopt: the file is no PQ video. Fails as opening it does. Any thread.
Result<std::optional<MasteringDisplay>> readMasteringDisplay(const std::string& path);

}  // namespace framewright

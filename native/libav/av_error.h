#pragma once

#include <string>

#include "core/result.h"

namespace framewright {

// libav's text for one of its error numbers.
std::string avText(int averror);

// An Error whose message ends with libav's text in brackets. Running out of memory or of disk keeps a code
// of its own, because a retry elsewhere may succeed; but what is MEDIA_UNREADABLE for want of memory stays
// so.
Error avError(ErrorCode code, const std::string& message, int averror);

}  // namespace framewright

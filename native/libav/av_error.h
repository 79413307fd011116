#pragma once

#include <string>

#include "core/result.h"

namespace framewright {

// libav's description of an error number.
std::string avText(int averror);

// An Error whose message ends with libav's description in parentheses. ENOMEM becomes OUT_OF_MEMORY and a
// full disk IO_FAILED, because a retry on another host may succeed; MEDIA_UNREADABLE stays despite ENOMEM.
Error avError(ErrorCode code, const std::string& message, int averror);

// An OUT_OF_MEMORY error; `what` names the object that could not be allocated.
Error outOfMemory(const std::string& what);

// MEDIA_UNREADABLE and MEDIA_UNSUPPORTED errors.
Error unreadableMedia(const std::string& message);
Error unsupportedMedia(const std::string& message);

}  // namespace framewright

#pragma once

#include <string>

#include "libav/av_error.h"

namespace framewright {

inline Error encoderUnavailable(const std::string& name, int status) {
  return avError(ErrorCode::ENCODER_UNAVAILABLE, "The encoder " + name + " is not available", status);
}
inline Error encodeFailed(const std::string& name, int status) {
  return avError(ErrorCode::ENCODE_FAILED, "The encoder " + name + " failed", status);
}
inline Error outputUnwritable(int status) {
  return avError(ErrorCode::IO_FAILED, "The output file cannot be written", status);
}

}  // namespace framewright

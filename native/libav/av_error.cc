#include "libav/av_error.h"

#include "libav/av.h"

namespace framewright {

std::string avText(int averror) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(averror, text, sizeof(text));
  return text;
}

Error avError(ErrorCode code, const std::string& message, int averror) {
  const std::string text = avText(averror);
  // A file's head takes next to none: who finds too little reading one has met a size that the file claims.
  if (averror == AVERROR(ENOMEM) && code != ErrorCode::MEDIA_UNREADABLE) {
    return {ErrorCode::OUT_OF_MEMORY, "there was not enough memory", message + ": " + text};
  }
  if (averror == AVERROR(ENOSPC) || averror == AVERROR(EDQUOT)) {
    return {ErrorCode::IO_FAILED, "the disk is full", message + ": " + text};
  }
  return {code, message + " (" + text + ")", "libav error " + std::to_string(averror)};
}

}  // namespace framewright

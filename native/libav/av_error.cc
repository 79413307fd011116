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
  // Opening a file needs little memory: ENOMEM means that the file declares an impossible size.
  if (averror == AVERROR(ENOMEM) && code != ErrorCode::MEDIA_UNREADABLE) return outOfMemory(message);
  if (averror == AVERROR(ENOSPC) || averror == AVERROR(EDQUOT)) {
    return {ErrorCode::IO_FAILED, "the disk is full", message + ": " + text};
  }
  return {code, message + " (" + text + ")", "libav error " + std::to_string(averror)};
}

Error outOfMemory(const std::string& what) {
  return {ErrorCode::OUT_OF_MEMORY, "there was not enough memory", what};
}

Error unreadableMedia(const std::string& message) { return {ErrorCode::MEDIA_UNREADABLE, message, ""}; }
Error unsupportedMedia(const std::string& message) { return {ErrorCode::MEDIA_UNSUPPORTED, message, ""}; }

}  // namespace framewright

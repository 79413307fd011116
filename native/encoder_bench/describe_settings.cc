#include "encoder_bench/describe_settings.h"

#include "libav/av_handle.h"
#include "libav/encode/video/families.h"

namespace framewright {

Result<std::string> describeSettings(const VideoEncoderSettings& settings) {
  const EncoderFamily* family = findEncoderFamily(settings.encoder);
  if (family == nullptr) {
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the encoder " + settings.encoder + " is unknown", ""};
  }
  const CodecContextPtr context(avcodec_alloc_context3(nullptr));
  if (context == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "encoder", ""};
  Options options;
  family->configure(settings, 0, *context, options);
  std::string text;
  for (const AVDictionaryEntry* entry = nullptr;
       (entry = av_dict_get(*options.get(), "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr;)
    text.append(text.empty() ? "" : " ").append(entry->key).append("=").append(entry->value);
  return text;
}

}  // namespace framewright

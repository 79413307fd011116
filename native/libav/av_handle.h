#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/result.h"
#include "libav/av.h"
#include "libav/av_error.h"

// Move-only owners of libav's objects; no other code frees them.
namespace framewright {

struct AvFree {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVCodecParameters* parameters) const { avcodec_parameters_free(&parameters); }
  void operator()(AVBSFContext* filter) const { av_bsf_free(&filter); }
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
  void operator()(SwrContext* resampler) const { swr_free(&resampler); }
};

struct AvUnref {
  void operator()(AVBufferRef* reference) const { av_buffer_unref(&reference); }
};

using BufferPtr = std::unique_ptr<AVBufferRef, AvUnref>;
using FramePtr = std::unique_ptr<AVFrame, AvFree>;
using PacketPtr = std::unique_ptr<AVPacket, AvFree>;
using CodecContextPtr = std::unique_ptr<AVCodecContext, AvFree>;
using CodecParametersPtr = std::unique_ptr<AVCodecParameters, AvFree>;
using PacketFilterPtr = std::unique_ptr<AVBSFContext, AvFree>;
using ScalerPtr = std::unique_ptr<SwsContext, AvFree>;
using ResamplerPtr = std::unique_ptr<SwrContext, AvFree>;

// A new empty frame or packet. Fails with OUT_OF_MEMORY.
inline Result<FramePtr> allocateFrame() {
  FramePtr frame(av_frame_alloc());
  if (frame == nullptr) return outOfMemory("frame");
  return frame;
}
inline Result<PacketPtr> allocatePacket() {
  PacketPtr packet(av_packet_alloc());
  if (packet == nullptr) return outOfMemory("packet");
  return packet;
}

// A buffer that owns a reference to the image; null when out of memory.
inline AVBufferRef* makeImageReference(ImagePtr image) {
  uint8_t* const data = image->plane(0).data;
  auto* const owner = new ImagePtr(std::move(image));
  const auto release = [](void* opaque, uint8_t*) { delete static_cast<ImagePtr*>(opaque); };
  AVBufferRef* const reference = av_buffer_create(data, 1, release, owner, AV_BUFFER_FLAG_READONLY);
  if (reference == nullptr) delete owner;
  return reference;
}

struct AvCloseInput {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
};
using InputContextPtr = std::unique_ptr<AVFormatContext, AvCloseInput>;

struct AvCloseOutput {
  void operator()(AVFormatContext* context) const {
    if (context->pb != nullptr) avio_closep(&context->pb);
    avformat_free_context(context);
  }
};
using OutputContextPtr = std::unique_ptr<AVFormatContext, AvCloseOutput>;

// For an AVIOContext with a caller-supplied buffer, which avio_close does not handle.
struct AvFreeIo {
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
using IoPtr = std::unique_ptr<AVIOContext, AvFreeIo>;

// An AVDictionary. Entries that a libav call does not consume are freed with it.
class Options {
 public:
  Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { av_dict_free(&entries_); }
  void set(const char* key, const char* value) { av_dict_set(&entries_, key, value, 0); }
  AVDictionary** get() { return &entries_; }
  // Names of the entries; after an encoder was opened, those that it does not know.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const AVDictionaryEntry* entry = nullptr;
         (entry = av_dict_get(entries_, "", entry, AV_DICT_IGNORE_SUFFIX));)
      found.emplace_back(entry->key);
    return found;
  }

 private:
  AVDictionary* entries_ = nullptr;
};

}  // namespace framewright

#pragma once

#include <memory>

#include "libav/av.h"

// Move-only owners of libav's objects; the only place where they are freed.
namespace framewright {

struct AvFree {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVCodecParameters* parameters) const { avcodec_parameters_free(&parameters); }
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
using ScalerPtr = std::unique_ptr<SwsContext, AvFree>;
using ResamplerPtr = std::unique_ptr<SwrContext, AvFree>;

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

// An AVIOContext with a buffer of its own (never one that avio_open made).
struct AvFreeIo {
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
using IoPtr = std::unique_ptr<AVIOContext, AvFreeIo>;

// Options that a libav call leaves unused are dropped with the object.
class Options {
 public:
  Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { av_dict_free(&entries_); }
  void set(const char* key, const char* value) { av_dict_set(&entries_, key, value, 0); }
  AVDictionary** get() { return &entries_; }

 private:
  AVDictionary* entries_ = nullptr;
};

}  // namespace framewright

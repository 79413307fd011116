#include "x264/packet_copy/seam_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

#include "libav/av_parameters.h"
#include "libav/decode/frame_converter.h"

namespace framewright::x264 {
namespace {

// Twice the maximum reorder depth.
constexpr size_t kMaxComparedFrames = 32;
constexpr int kStrict = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;

// A hash that detects any changed sample; costs a tenth of decoding.
uint64_t hashFrame(const AVFrame& frame) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  uint64_t sum = 0;
  const auto add = [&](uint64_t word) { sum = (std::rotl(sum, 23) ^ word) * kFactor; };
  for (int plane = 0; plane < 3; ++plane) {
    const size_t width = static_cast<size_t>(plane == 0 ? frame.width : (frame.width + 1) / 2);
    const int height = plane == 0 ? frame.height : (frame.height + 1) / 2;
    for (int y = 0; y < height; ++y) {
      const uint8_t* row = frame.data[plane] + static_cast<ptrdiff_t>(y) * frame.linesize[plane];
      for (size_t x = 0; x < width; x += sizeof(uint64_t)) {
        uint64_t word = 0;
        std::memcpy(&word, row + x, std::min(sizeof(word), width - x));
        add(word);
      }
    }
  }
  return sum;
}

// Decodes packets whose timestamps are frame numbers and requires every frame to be output in order, without
// errors.
class StrictDecoder {
 public:
  // Receives each frame and its number.
  using FrameCallback = std::function<bool(const AVFrame&, int64_t)>;

  bool open(const AVCodecParameters& parameters, FrameCallback onFrame) {
    onFrame_ = std::move(onFrame);
    const AVCodec* codec = avcodec_find_decoder(AV_CODEC_ID_H264);
    frame_.reset(av_frame_alloc());
    if (codec == nullptr || frame_ == nullptr) return false;
    context_.reset(avcodec_alloc_context3(codec));
    if (context_ == nullptr || avcodec_parameters_to_context(context_.get(), &parameters) < 0) return false;
    context_->err_recognition = kStrict;
    context_->thread_count = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
    return avcodec_open2(context_.get(), codec, nullptr) >= 0;
  }

  // From here on only the presence of frames is checked, not their samples.
  void skipDeblocking() { context_->skip_loop_filter = AVDISCARD_ALL; }

  bool push(const AVPacket* packet) {
    if (packet != nullptr) ++inputCount_;
    if (avcodec_send_packet(context_.get(), packet) < 0) return false;
    while (true) {
      const int status = avcodec_receive_frame(context_.get(), frame_.get());
      if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return true;
      if (status < 0) return false;
      const bool isIntact = frame_->decode_error_flags == 0 && (frame_->flags & AV_FRAME_FLAG_CORRUPT) == 0;
      if (!isIntact || frame_->pts <= lastPts_ || frame_->format != AV_PIX_FMT_YUV420P) return false;
      lastPts_ = frame_->pts;
      ++outputCount_;
      if (!onFrame_(*frame_, lastPts_)) return false;
    }
  }

  bool end() { return push(nullptr) && outputCount_ == inputCount_; }

 private:
  FrameCallback onFrame_;
  CodecContextPtr context_;
  FramePtr frame_;
  int64_t lastPts_ = -1, inputCount_ = 0, outputCount_ = 0;
};

// Whether nothing but the frame's tags differs from what the engine passes through.
bool isTaggedAs(const AVFrame& frame, const ColorTags& colors) {
  const auto matches = [](int value, int unspecified, int expected) {
    return value == unspecified || value == expected;
  };
  const bool isLeftSited =
      frame.chroma_location == AVCHROMA_LOC_LEFT || frame.chroma_location == AVCHROMA_LOC_UNSPECIFIED;
  return frame.format == AV_PIX_FMT_YUV420P && frame.color_range != AVCOL_RANGE_JPEG && isLeftSited &&
         matches(frame.colorspace, AVCOL_SPC_UNSPECIFIED, colors.matrix) &&
         matches(frame.color_primaries, AVCOL_PRI_UNSPECIFIED, colors.primaries) &&
         matches(frame.color_trc, AVCOL_TRC_UNSPECIFIED, colors.transfer);
}

// Hashes of the first frames as decoded from the source file; nothing if the decoder reports an error or the
// engine would convert the frames.
std::optional<std::vector<uint64_t>> decodeSourceHashes(const CopyableRange& range, size_t count) {
  std::vector<uint64_t> hashes;
  const FrameConverter converter(FrameOrigin::kVideo, Orientation{});
  StrictDecoder decoder;
  const bool opened = decoder.open(*range.parameters, [&](const AVFrame& frame, int64_t) {
    hashes.push_back(hashFrame(frame));
    return range.colors.isBt709() ? converter.isPassThrough(frame) : isTaggedAs(frame, range.colors);
  });
  if (!opened) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    const PacketPtr packet(av_packet_clone(range.frames[i].packet.get()));
    if (packet == nullptr) return std::nullopt;
    packet->pts = range.frames[i].displayIndex;
    if (!decoder.push(packet.get())) return std::nullopt;
  }
  if (!decoder.end() || hashes.size() != count) return std::nullopt;
  return hashes;
}

// Decodes the range within the spliced stream, without the frames between its start and its last key frame.
class SplicedDecoder {
 public:
  SplicedDecoder(const CopyableRange& range, const EncodedFrames& encoded)
      : range_(range), encoded_(encoded) {}

  bool open(StrictDecoder::FrameCallback onFrame) {
    h264::ParameterSets sets;
    if (!sets.add(extradataOf(*encoded_.parameters))) return false;
    const auto id = sets.add(range_.config.pair);
    const auto headers = sets.movieExtradata(encoded_.parameters->video_delay);
    const CodecParametersPtr parameters(avcodec_parameters_alloc());
    if (!id || !headers || parameters == nullptr) return false;
    id_ = *id;
    return avcodec_parameters_copy(parameters.get(), encoded_.parameters.get()) >= 0 &&
           setExtradata(*parameters, *headers) && decoder_.open(*parameters, std::move(onFrame));
  }

  bool pushEncoded() {
    for (const PacketPtr& packet : encoded_.packets) {
      const PacketPtr moved(av_packet_clone(packet.get()));
      if (moved == nullptr) return false;
      moved->pts += base_;
      if (!decoder_.push(moved.get())) return false;
    }
    base_ += static_cast<int64_t>(encoded_.packets.size());
    return true;
  }

  // Pushes the frames from `first` on, which are displayed consecutively. Of the frames before `whole`, those
  // that no other refers to are dropped.
  bool pushCopied(size_t first, size_t end, size_t whole) {
    for (size_t i = first; i < end; ++i) {
      const auto& frame = range_.frames[i];
      if (i < whole && !frame.isReference) continue;
      const auto made = makePacket(range_.slicesOf(frame, id_));
      if (!made.ok()) return false;
      const PacketPtr& packet = made.value();
      packet->pts = base_ + frame.displayIndex - static_cast<int64_t>(first);
      if (!decoder_.push(packet.get())) return false;
    }
    base_ += static_cast<int64_t>(end - first);
    return true;
  }

  void skipDeblocking() { decoder_.skipDeblocking(); }
  bool ends() { return decoder_.end(); }

 private:
  const CopyableRange& range_;
  const EncodedFrames& encoded_;
  StrictDecoder decoder_;
  int id_ = 0;
  int64_t base_ = 0;
};

}  // namespace

bool checkSeams(const CopyableRange& range, const EncodedFrames& encoded, const CancelToken& cancel) {
  const size_t count = range.frames.size();
  const size_t compared = range.closedFrameCount(std::min(count, kMaxComparedFrames));
  if (compared == 0 || encoded.packets.empty()) return false;
  const auto hashes = decodeSourceHashes(range, compared);
  if (!hashes || cancel.cancelled()) return false;

  size_t lastKey = count;
  while (lastKey > 0 && !range.frames[--lastKey].isIdr) {
  }
  const auto encodedCount = static_cast<int64_t>(encoded.packets.size());
  SplicedDecoder spliced(range, encoded);
  const bool opened = spliced.open([&](const AVFrame& frame, int64_t number) {
    const int64_t copied = number - encodedCount;
    const bool isCompared = copied >= 0 && copied < static_cast<int64_t>(compared);
    return !cancel.cancelled() && (!isCompared || hashFrame(frame) == (*hashes)[static_cast<size_t>(copied)]);
  });
  if (!opened || !spliced.pushEncoded() || !spliced.pushCopied(0, compared, 0)) return false;
  spliced.skipDeblocking();
  const size_t rest = std::max(compared, lastKey), end = count - std::min(count, kMaxComparedFrames);
  return spliced.pushCopied(rest, count, end) && spliced.pushEncoded() && spliced.ends();
}

}  // namespace framewright::x264

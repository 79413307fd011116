#include "x264/packet_copy/seam_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

#include "libav/av_parameters.h"
#include "libav/decode/frame_converter.h"

namespace framewright {
namespace {

// Enough for the deepest order of pictures twice over.
constexpr size_t kComparedPictures = 32;
constexpr int kStrict = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;

// A sum that any other sample changes; it takes a tenth of what decoding does.
uint64_t contentsOf(const AVFrame& frame) {
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

// Decodes packets whose times count pictures, and wants every one of them back, in order.
class StrictDecoder {
 public:
  // Told of each picture and its number.
  using Look = std::function<bool(const AVFrame&, int64_t)>;

  bool open(const AVCodecParameters& parameters, Look look) {
    look_ = std::move(look);
    const AVCodec* codec = avcodec_find_decoder(AV_CODEC_ID_H264);
    frame_.reset(av_frame_alloc());
    if (codec == nullptr || frame_ == nullptr) return false;
    context_.reset(avcodec_alloc_context3(codec));
    if (context_ == nullptr || avcodec_parameters_to_context(context_.get(), &parameters) < 0) return false;
    context_->err_recognition = kStrict;
    context_->thread_count = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u));
    return avcodec_open2(context_.get(), codec, nullptr) >= 0;
  }

  // From here on what is seen does not matter, only that it is there.
  void blur() { context_->skip_loop_filter = AVDISCARD_ALL; }

  bool take(const AVPacket* packet) {
    if (packet != nullptr) ++taken_;
    if (avcodec_send_packet(context_.get(), packet) < 0) return false;
    while (true) {
      const int status = avcodec_receive_frame(context_.get(), frame_.get());
      if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return true;
      if (status < 0) return false;
      const bool sound = frame_->decode_error_flags == 0 && (frame_->flags & AV_FRAME_FLAG_CORRUPT) == 0;
      if (!sound || frame_->pts <= latest_ || frame_->format != AV_PIX_FMT_YUV420P) return false;
      latest_ = frame_->pts;
      ++given_;
      if (!look_(*frame_, latest_)) return false;
    }
  }

  bool end() { return take(nullptr) && given_ == taken_; }

 private:
  Look look_;
  CodecContextPtr context_;
  FramePtr frame_;
  int64_t latest_ = -1, taken_ = 0, given_ = 0;
};

// What the file's own decoder makes of the first pictures; nothing when it complains, or when the engine
// would not show them as they are.
std::optional<std::vector<uint64_t>> contentsInFile(const CopiedStretch& stretch, size_t count) {
  std::vector<uint64_t> contents;
  const PictureConverter converter(PictureOrigin::kVideo, Orientation{});
  StrictDecoder decoder;
  const bool opened = decoder.open(*stretch.parameters, [&](const AVFrame& frame, int64_t) {
    contents.push_back(contentsOf(frame));
    return converter.isAsIs(frame);
  });
  if (!opened) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    const PacketPtr packet(av_packet_clone(stretch.pictures[i].packet.get()));
    if (packet == nullptr) return std::nullopt;
    packet->pts = stretch.pictures[i].shown;
    if (!decoder.take(packet.get())) return std::nullopt;
  }
  if (!decoder.end() || contents.size() != count) return std::nullopt;
  return contents;
}

// The stretch as a part of the film, without what lies between its beginning and its last key frame.
class FilmDecoder {
 public:
  FilmDecoder(const CopiedStretch& stretch, const EncodedPictures& own) : stretch_(stretch), own_(own) {}

  bool open(StrictDecoder::Look look) {
    h264::ParameterSets sets;
    if (!sets.add(extradataOf(*own_.parameters))) return false;
    const auto id = sets.add(stretch_.sets.pair);
    const auto headers = sets.ofFilm(own_.parameters->video_delay);
    const CodecParametersPtr parameters(avcodec_parameters_alloc());
    if (!id || !headers || parameters == nullptr) return false;
    id_ = *id;
    return avcodec_parameters_copy(parameters.get(), own_.parameters.get()) >= 0 &&
           setExtradata(*parameters, *headers) && decoder_.open(*parameters, std::move(look));
  }

  bool takeOwn() {
    for (const PacketPtr& packet : own_.packets) {
      const PacketPtr moved(av_packet_clone(packet.get()));
      if (moved == nullptr) return false;
      moved->pts += base_;
      if (!decoder_.take(moved.get())) return false;
    }
    base_ += static_cast<int64_t>(own_.packets.size());
    return true;
  }

  // Those decoded from `first` on, which are shown one after the other. Of those before `whole` it leaves out
  // what no other refers to.
  bool takeCopied(size_t first, size_t end, size_t whole) {
    for (size_t i = first; i < end; ++i) {
      const auto& picture = stretch_.pictures[i];
      if (i < whole && !picture.isReference) continue;
      const PacketPtr packet = packetOf(stretch_.slicesOf(picture, id_));
      if (packet == nullptr) return false;
      packet->pts = base_ + picture.shown - static_cast<int64_t>(first);
      if (!decoder_.take(packet.get())) return false;
    }
    base_ += static_cast<int64_t>(end - first);
    return true;
  }

  void blur() { decoder_.blur(); }
  bool ends() { return decoder_.end(); }

 private:
  const CopiedStretch& stretch_;
  const EncodedPictures& own_;
  StrictDecoder decoder_;
  int id_ = 0;
  int64_t base_ = 0;
};

}  // namespace

bool seamsHold(const CopiedStretch& stretch, const EncodedPictures& own, const CancelToken& cancel) {
  const size_t count = stretch.pictures.size();
  const size_t compared = stretch.closedCount(std::min(count, kComparedPictures));
  if (compared == 0 || own.packets.empty()) return false;
  const auto contents = contentsInFile(stretch, compared);
  if (!contents || cancel.cancelled()) return false;

  size_t lastKey = count;
  while (lastKey > 0 && !stretch.pictures[--lastKey].isKey) {
  }
  const auto ownCount = static_cast<int64_t>(own.packets.size());
  FilmDecoder film(stretch, own);
  const bool opened = film.open([&](const AVFrame& frame, int64_t number) {
    const int64_t copied = number - ownCount;
    const bool isCompared = copied >= 0 && copied < static_cast<int64_t>(compared);
    return !cancel.cancelled() &&
           (!isCompared || contentsOf(frame) == (*contents)[static_cast<size_t>(copied)]);
  });
  if (!opened || !film.takeOwn() || !film.takeCopied(0, compared, 0)) return false;
  film.blur();
  const size_t rest = std::max(compared, lastKey), end = count - std::min(count, kComparedPictures);
  return film.takeCopied(rest, count, end) && film.takeOwn() && film.ends();
}

}  // namespace framewright

#include "x264/skip_frame_inserter.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "libav/av_handle.h"
#include "libav/media_fixture.h"

using namespace framewright;
using namespace framewright::x264;

namespace {

constexpr int kWidth = 96, kHeight = 64;

struct Packet {
  std::vector<uint8_t> data;
  int64_t shown = 0;
  bool isKey = false;
};

struct SourceFrame {
  int64_t extra = 0;  // number of repetitions
  bool isReference = false;
};

struct Encoded {
  h264::StreamHeaders headers;
  std::vector<uint8_t> extradata;
  std::vector<Packet> packets;
};

// Drifting noise, so that every frame depends on exact references.
void paint(AVFrame& frame, int64_t n) {
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto u = static_cast<uint32_t>((x + 3 * n) / 3 * 2654435761u ^ (y + n) / 5 * 40503u);
      frame.data[0][y * frame.linesize[0] + x] = static_cast<uint8_t>(60 + (u >> 13) % 120);
    }
  for (int plane = 1; plane < 3; ++plane)
    for (int y = 0; y < kHeight / 2; ++y)
      for (int x = 0; x < kWidth / 2; ++x)
        frame.data[plane][y * frame.linesize[plane] + x] =
            static_cast<uint8_t>(100 + (x + y * plane + n) % 50);
}

Encoded encoded(const std::vector<SourceFrame>& sources, const std::string& parameters) {
  Encoded result;
  const AVCodec* codec = avcodec_find_encoder_by_name("libx264");
  CodecContextPtr context(avcodec_alloc_context3(codec));
  context->width = kWidth;
  context->height = kHeight;
  context->pix_fmt = AV_PIX_FMT_YUV420P;
  context->time_base = {1, 30};
  context->framerate = {30, 1};
  context->gop_size = 70;
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP;
  Options options;
  options.set("preset", "veryfast");
  options.set("forced-idr", "1");
  options.set("x264-params", ("stitchable=1:" + parameters).c_str());
  REQUIRE(avcodec_open2(context.get(), codec, options.get()) >= 0);
  result.extradata.assign(context->extradata, context->extradata + context->extradata_size);
  const auto headers = h264::readStreamHeaders(result.extradata);
  REQUIRE(headers.has_value());
  result.headers = *headers;
  const PacketPtr packet(av_packet_alloc());
  for (size_t n = 0; n <= sources.size(); ++n) {
    FramePtr frame(n < sources.size() ? av_frame_alloc() : nullptr);
    if (frame != nullptr) {
      frame->format = AV_PIX_FMT_YUV420P;
      frame->width = kWidth;
      frame->height = kHeight;
      REQUIRE(av_frame_get_buffer(frame.get(), 0) >= 0);
      paint(*frame, static_cast<int64_t>(n));
      frame->pts = static_cast<int64_t>(n);
      if (sources[n].isReference) frame->pict_type = AV_PICTURE_TYPE_P;
    }
    REQUIRE(avcodec_send_frame(context.get(), frame.get()) >= 0);
    while (avcodec_receive_packet(context.get(), packet.get()) >= 0) {
      result.packets.push_back(
          {{packet->data, packet->data + packet->size}, packet->pts, (packet->flags & AV_PKT_FLAG_KEY) != 0});
      av_packet_unref(packet.get());
    }
  }
  return result;
}

// Frames of an independent decoder, which must not report errors.
std::vector<uint8_t> decoded(const std::vector<uint8_t>& stream) {
  const std::string path = fixture::path("stretched.h264"), raw = fixture::path("stretched.yuv");
  fixture::writeFile(path, stream);
  CHECK(
      fixture::outputOf(
          "ffmpeg -y -nostdin -v warning -xerror -err_detect explode+crccheck+bitstream+buffer -f h264 -i '" +
          path + "' -fps_mode passthrough -f rawvideo '" + raw + "' 2>&1") == "");
  return fixture::readFile(raw);
}

}  // namespace

TEST_CASE("a stretched stream decodes bit-exactly to the encoder's frames") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<SourceFrame> sources(static_cast<size_t>(pick(5, 160)));
    for (size_t n = 1; n < sources.size(); ++n) {
      if (pick(0, 9) > 0) continue;
      sources[n - 1].isReference = sources[n].isReference = true;
      sources[n].extra = pick(0, 4) == 0 ? pick(1, 3) : pick(4, 150);
    }
    sources[0].extra = pick(0, 1) * pick(1, 100);
    // The first frame is always an IDR frame.
    sources[0].isReference = false;
    const int64_t interval = pick(0, 1) * pick(2, 60);
    static const std::vector<std::string> parameters{
        "ref=1", "ref=1:b-pyramid=strict", "ref=1:bframes=5:b-adapt=0", "ref=1:weightp=2:keyint=40"};
    const Encoded stream = encoded(sources, parameters[seed % parameters.size()]);

    std::vector<uint8_t> plain = stream.extradata, stretched = stream.extradata;
    std::vector<int64_t> shown;
    int64_t decodedUnits = 0;
    SkipFrameInserter inserter(stream.headers, [&](const SkipFrameInserter::AccessUnit& unit) {
      stretched.insert(stretched.end(), unit.data.begin(), unit.data.end());
      shown.push_back(unit.displayIndex);
      CHECK(unit.decodeIndex == decodedUnits++);
      return Status();
    });
    int64_t frames = 0;
    for (size_t n = 0; n < sources.size(); ++n) {
      if (sources[n].extra > 0) inserter.insertAfter(static_cast<int64_t>(n), sources[n].extra, interval);
      frames += 1 + sources[n].extra;
    }
    for (const Packet& packet : stream.packets) {
      plain.insert(plain.end(), packet.data.begin(), packet.data.end());
      const Status taken = inserter.push(packet.data, packet.shown, packet.isKey);
      if (!taken.ok()) FAIL(taken.error().detail);
    }
    std::sort(shown.begin(), shown.end());
    REQUIRE(static_cast<int64_t>(shown.size()) == frames);
    for (int64_t n = 0; n < frames; ++n) REQUIRE(shown[static_cast<size_t>(n)] == n);

    const std::vector<uint8_t> wanted = decoded(plain), got = decoded(stretched);
    constexpr size_t kPps = kWidth * kHeight * 3 / 2;
    REQUIRE(wanted.size() == sources.size() * kPps);
    REQUIRE(got.size() == static_cast<size_t>(frames) * kPps);
    auto at = got.begin();
    for (size_t n = 0; n < sources.size(); ++n) {
      CAPTURE(n);
      const auto from = wanted.begin() + static_cast<ptrdiff_t>(n * kPps);
      for (int64_t k = 0; k <= sources[n].extra; ++k, at += kPps) REQUIRE(std::equal(from, from + kPps, at));
    }
  }
}

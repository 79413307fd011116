#include "libav/encode/audio/audio_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "libav/encode/audio/aac_encoder.h"
#include "libav/media_fixture.h"
#include "libav/mux/packet_file.h"
#include "libav/mux/packet_writer.h"

using namespace framewright;

namespace {

constexpr int kBitrate = 128000;
constexpr int64_t kPiece = 256 * kAacFrame;  // length of a piece between joints
constexpr int64_t kSamples = 2 * kPiece + 50'000;

struct Sound {
  std::vector<float> left, right;
};

// Both channels from a function of the sample index.
Sound soundOf(const std::function<float(int64_t at, bool right)>& sample) {
  Sound sound;
  for (int64_t at = 0; at < kSamples; ++at) {
    sound.left.push_back(sample(at, false));
    sound.right.push_back(sample(at, true));
  }
  return sound;
}

struct Noise {
  std::mt19937 random{7};
  float operator()(float level) { return level * (static_cast<float>(random() % 20001) / 10000 - 1); }
};

float tone(double frequency, int64_t at) {
  return 0.3f * static_cast<float>(std::sin(2 * M_PI * frequency * static_cast<double>(at) / kSoundRate));
}

// Clicks in one channel in each frame of [from, to): window shapes that the channels do not share.
Sound lopsided(int64_t from, int64_t to) {
  Noise noise;
  return soundOf([&](int64_t at, bool right) {
    const int64_t frame = at / kAacFrame;
    const bool click = !right && frame >= from && frame < to && at % kAacFrame % 700 < 40;
    return noise(click ? 0.8f : 0.005f);
  });
}

std::string encoded(const Sound& sound, const std::string& name, unsigned threads) {
  const std::string path = fixture::path(name + ".nut");
  auto encoder = AudioEncoder::open(kBitrate, path, threads);
  REQUIRE(encoder.ok());
  for (int64_t at = 0; at < kSamples; at += 4096) {
    const auto part = std::min<int64_t>(4096, kSamples - at);
    REQUIRE(encoder.value()
                ->encode(&sound.left[static_cast<size_t>(at)], &sound.right[static_cast<size_t>(at)], part)
                .ok());
  }
  REQUIRE(encoder.value()->finish().ok());
  return path;
}

// The reference: one encoder from start to end.
std::string encodedInOne(const Sound& sound, const std::string& name) {
  const std::string path = fixture::path(name + ".nut");
  const auto encoder = AacEncoder::open(kBitrate).take();
  std::deque<PacketPtr> packets;
  for (int64_t at = 0; at < kSamples; at += kAacFrame) {
    const int count = static_cast<int>(std::min<int64_t>(kAacFrame, kSamples - at));
    REQUIRE(encoder
                ->encode(&sound.left[static_cast<size_t>(at)], &sound.right[static_cast<size_t>(at)], count,
                         at, packets)
                .ok());
  }
  REQUIRE(encoder->drain(packets).ok());
  PacketWriter writer;
  REQUIRE(writer.open(path, encoder->context()).ok());
  for (const auto& packet : packets) REQUIRE(writer.write(*packet).ok());
  REQUIRE(writer.finish().ok());
  return path;
}

std::vector<std::vector<uint8_t>> packetsOf(const std::string& path) {
  std::vector<std::vector<uint8_t>> packets;
  const auto file = PacketFile::open(path).take();
  const PacketPtr packet(av_packet_alloc());
  while (file->read(*packet).value()) packets.emplace_back(packet->data, packet->data + packet->size);
  return packets;
}

// Noise level of each frame as decoded by ffmpeg, in dBFS.
std::vector<double> noiseOf(const std::string& path, const Sound& sound) {
  const auto bytes = fixture::readFile(
      fixture::media(std::filesystem::path(path).stem().string() + ".f32", "-i '" + path + "' -f f32le"));
  std::vector<float> decoded(bytes.size() / sizeof(float));
  std::memcpy(decoded.data(), bytes.data(), bytes.size());
  REQUIRE(decoded.size() / 2 >= static_cast<size_t>(kAacPriming + kSamples));
  std::vector<double> noise;
  for (int64_t frame = 0; (frame + 1) * kAacFrame <= kSamples; ++frame) {
    double sum = 0;
    for (int64_t at = frame * kAacFrame; at < (frame + 1) * kAacFrame; ++at) {
      const auto here = static_cast<size_t>(at), there = static_cast<size_t>(2 * (at + kAacPriming));
      sum += std::pow(decoded[there] - sound.left[here], 2) +
             std::pow(decoded[there + 1] - sound.right[here], 2);
    }
    noise.push_back(10 * std::log10(sum / (2 * kAacFrame) + 1e-10));
  }
  return noise;
}

}  // namespace

TEST_CASE("encoded audio does not depend on the thread count and has inaudible joints") {
  Noise noise;
  const std::vector<std::pair<std::string, Sound>> sounds = {
      {"tones", soundOf([](int64_t at, bool right) { return tone(right ? 1234 : 440, at); })},
      {"noise", soundOf([&](int64_t, bool) { return noise(0.2f); })},
      {"clicks", soundOf([&](int64_t at, bool) { return noise(at % kPiece < 64 ? 0.9f : 0.005f); })},
      {"onsets", soundOf([](int64_t at, bool) { return at < kPiece ? 0 : tone(700, at); })},
      {"pulses",
       soundOf([&](int64_t at, bool) { return at % 9600 < 2400 ? tone(300, at) + noise(0.02f) : 0; })},
  };
  for (const auto& [name, sound] : sounds) {
    CAPTURE(name);
    const std::string path = encoded(sound, name, 1);
    CHECK(fixture::readFile(encoded(sound, name + "-2", 2)) == fixture::readFile(path));
    CHECK(fixture::readFile(encoded(sound, name + "-8", 8)) == fixture::readFile(path));
    const auto pieces = noiseOf(path, sound);
    const auto one = noiseOf(encodedInOne(sound, name + "-one"), sound);
    const auto loudest = *std::max_element(one.begin(), one.end());
    for (int64_t joint = kPiece; joint < kSamples; joint += kPiece) {
      for (int64_t frame = joint / kAacFrame - 3; frame < joint / kAacFrame + 12; ++frame) {
        CAPTURE(frame);
        // Far below audibility the encoder's rate control dominates.
        const double allowed = std::max(one[static_cast<size_t>(frame)] + 2, -70.0);
        CHECK(pieces[static_cast<size_t>(frame)] < std::min(allowed, loudest + 0.5));
      }
    }
    size_t max = 0;
    for (const auto& packet : packetsOf(path)) max = std::max(max, packet.size());
    CHECK(max <= kMaxPacketBytes);
  }
}

TEST_CASE("a joint moves past frames with unequal windows and is dropped if there is no other") {
  constexpr int64_t kJoint = kPiece / kAacFrame;
  const Sound moving = lopsided(kJoint - 4, kJoint + 5);
  const auto one = packetsOf(encodedInOne(moving, "moving-one"));
  const auto pieces = packetsOf(encoded(moving, "moving", 2));
  REQUIRE(pieces.size() == one.size());
  const auto joint = std::mismatch(one.begin(), one.end(), pieces.begin()).first - one.begin();
  CHECK(joint > kJoint + 4);
  CHECK(joint <= kJoint + 16);

  const Sound lasting = lopsided(0, kSamples);
  CHECK(packetsOf(encoded(lasting, "lasting", 2)) == packetsOf(encodedInOne(lasting, "lasting-one")));
}

TEST_CASE("cancelled audio encoding leaves no file and no running thread") {
  const std::string path = fixture::path("given-up.nut");
  const std::vector<float> silence(static_cast<size_t>(2 * kPiece));
  auto encoder = AudioEncoder::open(kBitrate, path, 2);
  REQUIRE(encoder.ok());
  REQUIRE(encoder.value()->encode(silence.data(), silence.data(), 2 * kPiece).ok());
  CHECK(std::filesystem::exists(path));
  encoder = Error{};
  CHECK(!std::filesystem::exists(path));
}

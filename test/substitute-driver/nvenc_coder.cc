#include "nvenc_coder.h"

#include <deque>

extern "C" {
#include <x264.h>
}

#include "codec/hevc_pcm.h"

namespace substitute {
namespace {

class H264Coder final : public Coder {
 public:
  explicit H264Coder(x264_t* encoder) : encoder_(encoder) {}
  ~H264Coder() override { x264_encoder_close(encoder_); }

  std::vector<uint8_t> headers() override {
    std::vector<uint8_t> bytes;
    x264_nal_t* units = nullptr;
    int count = 0;
    if (x264_encoder_headers(encoder_, &units, &count) < 0) return bytes;
    for (int i = 0; i < count; ++i)
      if (units[i].i_type != NAL_SEI)
        bytes.insert(bytes.end(), units[i].p_payload, units[i].p_payload + units[i].i_payload);
    return bytes;
  }

  bool encode(const CoderInput* input, CodedPicture& coded) override {
    if (input == nullptr && x264_encoder_delayed_frames(encoder_) == 0) return false;
    x264_picture_t picture, out;
    x264_picture_init(&picture);
    if (input != nullptr) {
      picture.img.i_csp = X264_CSP_NV12;
      picture.img.i_plane = 2;
      picture.img.plane[0] = input->luma;
      picture.img.plane[1] = input->chroma;
      picture.img.i_stride[0] = picture.img.i_stride[1] = input->pitch;
      picture.i_pts = input->pts;
      picture.i_type = input->isIdr ? X264_TYPE_IDR : X264_TYPE_AUTO;
    }
    x264_nal_t* units = nullptr;
    int count = 0;
    const int size =
        x264_encoder_encode(encoder_, &units, &count, input == nullptr ? nullptr : &picture, &out);
    if (size <= 0) return false;
    coded.bytes.assign(units[0].p_payload, units[0].p_payload + size);
    coded.pts = out.i_pts;
    coded.type = out.i_type == X264_TYPE_IDR ? NV_ENC_PIC_TYPE_IDR
                 : out.i_type == X264_TYPE_I ? NV_ENC_PIC_TYPE_I
                 : out.i_type == X264_TYPE_P ? NV_ENC_PIC_TYPE_P
                                             : NV_ENC_PIC_TYPE_B;
    return true;
  }

 private:
  x264_t* const encoder_;
};

// Pictures of samples, in the order in which NVENC codes P- and B-frames: B-frames are read after the frame
// that follows them.
class HevcCoder final : public Coder {
 public:
  explicit HevcCoder(const CoderSettings& settings) : settings_(settings) {
    video_.width = settings.width;
    video_.height = settings.height;
    video_.maxReorder = settings.bFrames > 0 ? 1 : 0;
    video_.isFullRange = settings.isFullRange;
    video_.hasColors = settings.hasColors;
    video_.primaries = static_cast<uint32_t>(settings.primaries);
    video_.transfer = static_cast<uint32_t>(settings.transfer);
    video_.matrix = static_cast<uint32_t>(settings.matrix);
  }

  std::vector<uint8_t> headers() override { return hevcParameterSets(video_); }

  bool encode(const CoderInput* input, CodedPicture& coded) override {
    if (input != nullptr) {
      waiting_.push_back(*input);
      const bool isIdr = input->isIdr || sinceIdr_ == settings_.gopLength || count_ == 0;
      waiting_.back().isIdr = isIdr;
      sinceIdr_ = isIdr ? 1 : sinceIdr_ + 1;
      ++count_;
      if (isIdr || static_cast<int>(waiting_.size()) > settings_.bFrames) codeGroup();
    } else {
      codeGroup();
    }
    if (coded_.empty()) return false;
    coded = std::move(coded_.front());
    coded_.pop_front();
    return true;
  }

 private:
  // Codes the pictures that wait: the last one first, unless it is an IDR picture.
  void codeGroup() {
    if (waiting_.empty()) return;
    const CoderInput last = waiting_.back();
    waiting_.pop_back();
    if (last.isIdr && !waiting_.empty()) codeGroup();
    code(last, last.isIdr ? NV_ENC_PIC_TYPE_IDR : NV_ENC_PIC_TYPE_P);
    for (const CoderInput& input : waiting_) code(input, NV_ENC_PIC_TYPE_B);
    waiting_.clear();
  }

  void code(const CoderInput& input, NV_ENC_PIC_TYPE type) {
    if (input.isIdr) idrPts_ = input.pts;
    const auto pitch = static_cast<size_t>(input.pitch);
    const Nv12 frame{input.luma, input.chroma, pitch, pitch, settings_.width, settings_.height};
    CodedPicture& coded = coded_.emplace_back();
    if (input.isIdr && settings_.repeatsHeaders) coded.bytes = headers();
    appendHevcPcm(coded.bytes, video_, frame, input.isIdr, static_cast<uint32_t>(input.pts - idrPts_));
    coded.pts = input.pts;
    coded.type = type;
  }

  const CoderSettings settings_;
  HevcVideo video_;
  std::vector<CoderInput> waiting_;
  std::deque<CodedPicture> coded_;
  uint32_t sinceIdr_ = 0;
  int64_t count_ = 0, idrPts_ = 0;
};

}  // namespace

std::unique_ptr<Coder> createH264Coder(const CoderSettings& settings) {
  x264_param_t x264;
  x264_param_default_preset(&x264, "veryfast", nullptr);
  x264.i_csp = X264_CSP_NV12;
  x264.i_log_level = X264_LOG_NONE;
  x264.i_width = settings.width;
  x264.i_height = settings.height;
  x264.i_fps_num = x264.i_timebase_den = settings.frameRateNum;
  x264.i_fps_den = x264.i_timebase_num = settings.frameRateDen;
  x264.i_threads = 1;
  x264.i_sync_lookahead = x264.rc.i_lookahead = x264.i_bframe_adaptive = x264.i_scenecut_threshold = 0;
  x264.rc.b_mb_tree = 0;
  x264.i_keyint_max = x264.i_keyint_min = static_cast<int>(settings.gopLength);
  x264.i_bframe = settings.bFrames;
  x264.rc.i_rc_method = X264_RC_CRF;
  x264.rc.f_rf_constant = static_cast<float>(settings.quality);
  x264.b_repeat_headers = settings.repeatsHeaders;
  x264.b_annexb = 1;
  x264.vui.b_fullrange = settings.isFullRange;
  if (settings.hasColors) {
    x264.vui.i_colorprim = settings.primaries;
    x264.vui.i_transfer = settings.transfer;
    x264.vui.i_colmatrix = settings.matrix;
  }
  x264_param_apply_profile(&x264, "high");
  x264_t* const encoder = x264_encoder_open(&x264);
  return encoder == nullptr ? nullptr : std::make_unique<H264Coder>(encoder);
}

std::unique_ptr<Coder> createHevcCoder(const CoderSettings& settings) {
  return std::make_unique<HevcCoder>(settings);
}

}  // namespace substitute

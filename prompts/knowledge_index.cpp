#include "prompts/knowledge_index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgeline::prompts {
namespace {

constexpr double saturation = 1.5;     // BM25's k1
constexpr double length_share = 0.75;  // BM25's b

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a new word begins at `at`, which lies inside a run of letters and digits.
bool begins_word(std::string_view text, std::size_t at) {
  if (!is_capital(text[at])) return false;
  const bool small_follows = at + 1 < text.size() && is_small(text[at + 1]);
  return !is_capital(text[at - 1]) || small_follows;
}

std::map<std::string, double> counts_of(std::string_view text) {
  std::map<std::string, double> counts;
  for (auto& word : code_words(text)) ++counts[std::move(word)];
  return counts;
}

}  // namespace

std::vector<std::string> code_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty() && !is_digit(word.front())) words.push_back(word);
    word.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!is_capital(c) && !is_small(c) && !is_digit(c)) {
      end_word();
      continue;
    }
    if (!word.empty() && !is_digit(word.front()) && begins_word(text, at)) end_word();
    word += is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  end_word();
  return words;
}

KnowledgeIndex::KnowledgeIndex(Language language, std::vector<KnowledgeFile> files)
    : language_(language), files_(std::move(files)) {
  for (std::size_t file = 0; file < files_.size(); ++file) {
    // The length counts words, not bytes: a file of long names is not a long file.
    double length = 0;
    for (const auto& [word, count] : counts_of(files_[file].text)) {
      postings_[word].push_back({file, count});
      length += count;
    }
    lengths_.push_back(length);
  }
  if (!lengths_.empty())
    mean_length_ =
        std::accumulate(lengths_.begin(), lengths_.end(), 0.0) / static_cast<double>(lengths_.size());
}

std::vector<double> KnowledgeIndex::scores(std::string_view query) const {
  std::vector<double> scores(files_.size(), 0);
  const auto all = static_cast<double>(files_.size());
  for (const auto& [word, times] : counts_of(query)) {
    const auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    const auto holding = static_cast<double>(found->second.size());
    const double idf = std::log(1 + (all - holding + 0.5) / (holding + 0.5));
    for (const auto& [file, count] : found->second) {
      const double length = 1 - length_share + length_share * lengths_[file] / mean_length_;
      scores[file] += times * idf * count * (saturation + 1) / (count + saturation * length);
    }
  }
  return scores;
}

const KnowledgeFile* KnowledgeIndex::nearest(std::string_view query) const {
  const auto all = scores(query);
  const auto best = std::max_element(all.begin(), all.end());
  // max_element gives the first of equals, so the order of files decides and not that of a hash table.
  if (best == all.end() || *best <= 0) return nullptr;
  return &files_[static_cast<std::size_t>(best - all.begin())];
}

}  // namespace ridgeline::prompts

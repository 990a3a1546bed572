// Finds the file of a corpus that is nearest to a query, by Okapi BM25 over tokens of code.
//
//   score(d, q) = sum over the words t of q, as often as each stands there, of
//                 idf(t) · f(t, d) · (k1 + 1) / (f(t, d) + k1 · (1 - b + b · |d| / mean |d|))
//   idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))
// with f the count in d, n the number of files that hold t, k1 = 1.5, b = 0.75. Robertson and Zaragoza, "The
// Probabilistic Relevance Framework: BM25 and Beyond", 2009, eq. 3.15, with query terms unsaturated; the 1
// within the logarithm (Lucene's) keeps words that most files hold from counting against a file.
//
// Pure and deterministic: the same files and query give the same file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/candidate.hpp"

namespace ridgeline::prompts {

/// Returns the words of code in lower case: identifiers split at `_`, before a capital that follows a small
/// letter, and before the last of several capitals ("HTTPServer": http, server). Digits stay with the letters
/// before them
/// ("avx2", "fmadd", "m256"); numbers are no words. Comments count: they say what code is about.
std::vector<std::string> code_words(std::string_view text);

/// A file of the corpus.
struct KnowledgeFile {
  std::string name;  ///< within the corpus: "reductions/online_softmax.cpp"
  std::string text;
};

/// Owns the corpus and its index. Immutable after construction, so threads may share it.
class KnowledgeIndex {
 public:
  KnowledgeIndex(Language language, std::vector<KnowledgeFile> files);

  Language language() const { return language_; }
  std::size_t size() const { return files_.size(); }

  /// Returns the file of the highest score, the first of equals; null if no file shares a word with the
  /// query. The index owns the file.
  const KnowledgeFile* nearest(std::string_view query) const;
  /// Returns a score for each file, in the order of the files.
  std::vector<double> scores(std::string_view query) const;

 private:
  struct Posting {
    std::size_t file;
    double count;
  };

  Language language_;
  std::vector<KnowledgeFile> files_;
  std::vector<double> lengths_;  ///< in words
  double mean_length_ = 0;
  std::map<std::string, std::vector<Posting>> postings_;
};

}  // namespace ridgeline::prompts

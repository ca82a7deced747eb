"""Function words of English and Chinese, as data."""

__all__ = ["CHINESE_CHARS", "ENGLISH", "ENGLISH_STOP"]

ENGLISH = frozenset(
    ["a", "about", "above", "after", "again", "against", "all", "also", "although", "always", "am", "among", "an", "and", "another", "any", "anyone", "anything", "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "done", "down", "during", "each", "either", "else", "even", "ever", "every", "everyone", "everything", "few", "for", "from", "further", "get", "gets", "getting", "go", "goes", "going", "gone", "got", "had", "has", "have", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "like", "many", "may", "me", "might", "mine", "more", "most", "much", "must", "my", "myself", "neither", "no", "nor", "not", "now", "of", "off", "often", "on", "once", "one", "only", "onto", "or", "other", "others", "our", "ours", "ourselves", "out", "over", "own", "per", "perhaps", "quite", "rather", "really", "same", "shall", "she", "should", "since", "so", "some", "someone", "something", "still", "such", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "therefore", "these", "they", "this", "those", "though", "through", "thus", "to", "too", "toward", "towards", "under", "unless", "until", "up", "upon", "us", "very", "was", "we", "well", "were", "what", "whatever", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "would", "yes", "yet", "you", "your", "yours", "yourself", "yourselves"]
)
ENGLISH_STOP = ENGLISH | frozenset(
    ["s", "t", "d", "ll", "m", "o", "re", "ve", "don", "doesn", "didn", "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "won", "wouldn", "couldn", "shouldn"]
)
CHINESE_CHARS = frozenset("的了和是在有也就都而及与或之其于以为被把这那个们着吗呢吧啊呀么很又还将从向到由")

/*
 * CUDA's C++ for the CPU: loads and stores with hints, and atomic operations.
 * Part of the dialect, behind host_dialect.h.
 */
/* Loads and stores with cache hints: the hints mean nothing here. */
#define AT_HOST_LOAD(name) \
	template <class T> AT_HOST_INLINE T name(const T *address) { return *address; }
AT_HOST_LOAD(__ldg)
AT_HOST_LOAD(__ldcg)
AT_HOST_LOAD(__ldca)
AT_HOST_LOAD(__ldcs)
AT_HOST_LOAD(__ldlu)
template <class T> AT_HOST_INLINE T __ldcv(const T *address)
{
	at_host_turn();
	return *(const volatile T *)address;
}
#define AT_HOST_STORE(name) \
	template <class T> AT_HOST_INLINE void name(T *address, T value) { *address = value; }
AT_HOST_STORE(__stwb)
AT_HOST_STORE(__stcg)
AT_HOST_STORE(__stcs)
AT_HOST_STORE(__stwt)

/* Atomics: real ones, since blocks run in parallel. All give the old value. */
template <class T, class U> AT_HOST_INLINE T at_host_bits(U value)
{
	T bits;

	static_assert(sizeof(T) == sizeof(U), "");
	__builtin_memcpy(&bits, &value, sizeof(T));
	return bits;
}
#define AT_HOST_ATOMIC(name, type, builtin) \
	AT_HOST_INLINE type name(type *address, type value) \
	{ \
		at_host_turn(); \
		type old = builtin(address, value, __ATOMIC_RELAXED); \
		at_host_turn(); \
		return old; \
	}
/* By compare and swap; `word` is an integer of the size of `type`. */
#define AT_HOST_ATOMIC_SWAP(name, type, word, expression) \
	AT_HOST_INLINE type name(type *address, type value) \
	{ \
		at_host_turn(); \
		word *where = (word *)address; \
		word seen = __atomic_load_n(where, __ATOMIC_RELAXED); \
		for (;;) { \
			type old = at_host_bits<type>(seen); \
			word wanted = at_host_bits<word>((type)(expression)); \
			if (__atomic_compare_exchange_n(where, &seen, wanted, true, \
				__ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
				at_host_turn(); \
				return old; \
			} \
		} \
	}
/* For types of headers, which are behind a template's macros. */
template <class Word, class T> AT_HOST_INLINE T at_host_atomic_add(T *address, T value)
{
	at_host_turn();
	Word *where = (Word *)address;
	Word seen = __atomic_load_n(where, __ATOMIC_RELAXED);
	T old = at_host_bits<T>(seen);
	while (!__atomic_compare_exchange_n(where, &seen, at_host_bits<Word>((T)(old + value)),
		true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		old = at_host_bits<T>(seen);
	at_host_turn();
	return old;
}
#define AT_HOST_ATOMIC_INTEGER(type) \
	AT_HOST_ATOMIC(atomicAdd, type, __atomic_fetch_add) \
	AT_HOST_ATOMIC(atomicSub, type, __atomic_fetch_sub) \
	AT_HOST_ATOMIC(atomicAnd, type, __atomic_fetch_and) \
	AT_HOST_ATOMIC(atomicOr, type, __atomic_fetch_or) \
	AT_HOST_ATOMIC(atomicXor, type, __atomic_fetch_xor) \
	AT_HOST_ATOMIC(atomicExch, type, __atomic_exchange_n) \
	AT_HOST_ATOMIC_SWAP(atomicMin, type, type, value < old ? value : old) \
	AT_HOST_ATOMIC_SWAP(atomicMax, type, type, value > old ? value : old) \
	AT_HOST_INLINE type atomicCAS(type *address, type compare, type value) \
	{ \
		at_host_turn(); \
		__atomic_compare_exchange_n(address, &compare, value, false, \
			__ATOMIC_RELAXED, __ATOMIC_RELAXED); \
		at_host_turn(); \
		return compare; \
	}
AT_HOST_ATOMIC_INTEGER(int)
AT_HOST_ATOMIC_INTEGER(unsigned)
AT_HOST_ATOMIC_INTEGER(long long)
AT_HOST_ATOMIC_INTEGER(unsigned long long)
AT_HOST_ATOMIC_SWAP(atomicInc, unsigned, unsigned, old >= value ? 0 : old + 1)
AT_HOST_ATOMIC_SWAP(atomicDec, unsigned, unsigned, old == 0 || old > value ? value : old - 1)
AT_HOST_ATOMIC_SWAP(atomicAdd, float, unsigned, old + value)
AT_HOST_ATOMIC_SWAP(atomicAdd, double, unsigned long long, old + value)
AT_HOST_ATOMIC_SWAP(atomicExch, float, unsigned, value)
/* Whoever is to see them at once: here everybody does. */
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicExch_block atomicExch
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicCAS_block atomicCAS
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicMin_system atomicMin
#define atomicMax_system atomicMax
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicExch_system atomicExch
#define atomicInc_system atomicInc
#define atomicDec_system atomicDec
#define atomicCAS_system atomicCAS

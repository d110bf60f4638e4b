/*
 * CUDA's C++ for the CPU: kernels, as the runtime calls them.
 * Part of the dialect, behind host_dialect.h.
 */
template <unsigned N, unsigned... I>
struct at_host_count_up : at_host_count_up<N - 1, N - 1, I...> {};
template <unsigned... I> struct at_host_count_up<0, I...> {};

template <class T> AT_HOST_INLINE T at_host_argument(const at_host_value *value)
{
	T argument;

	/* whose sizes agree was found out before anything is launched */
	__builtin_memcpy(&argument,
		sizeof(T) > sizeof(value->bytes) || value->more ? value->more
								: value->bytes,
		sizeof(T));
	return argument;
}

/* Coordinates come from a row that seldom changes: to read what was just written
   in parts would cost more than a small thread. */
AT_HOST_INLINE bool at_host_start_thread(at_host_context *self)
{
	unsigned number = self->started_count, x;
	uint3 size = self->block_size;

	if (number >= self->start_limit)
		return false;
	self->started_count = number + 1;
	if (__builtin_expect(self->start_order != nullptr, 0)) {
		/* one at a time, each when the runtime says so */
		self->start_limit = 0;
		number = self->start_order[number];
		x = number % size.x;
		self->row_y = number / size.x % size.y;
		self->row_z = number / size.x / size.y;
	} else {
		x = number - self->row_first;
		if (x == size.x) {
			x = 0;
			self->row_first = number;
			if (++self->row_y == size.y) {
				self->row_y = 0;
				self->row_z++;
			}
		}
	}
	self->thread = uint3{ x, self->row_y, self->row_z };
	self->linear_thread = number;
	return true;
}

template <class T> struct at_host_kind {
	static constexpr uint32_t value = __is_enum(T) ? AT_HOST_PARAMETER_INTEGER
		: __is_class(T) || __is_union(T) ? AT_HOST_PARAMETER_OBJECT
		: AT_HOST_PARAMETER_UNKNOWN;
};
template <class T> struct at_host_kind<T *> {
	static constexpr uint32_t value = AT_HOST_PARAMETER_POINTER;
};
template <class T> struct at_host_kind<const T *> {
	static constexpr uint32_t value = AT_HOST_PARAMETER_CONST_POINTER;
};
/* What a pointer to the type points to. Not char, which may be bytes of anything. */
template <class T> struct at_host_element_of {
	static constexpr uint32_t value = AT_HOST_ELEMENT_UNTOLD;
};
template <class T> struct at_host_element_of<const T> : at_host_element_of<T> {};
template <class T> struct at_host_element_of<volatile T> : at_host_element_of<T> {};
template <class T> struct at_host_element_of<const volatile T> : at_host_element_of<T> {};
template <class T> struct at_host_pointed {
	static constexpr uint32_t value = AT_HOST_ELEMENT_UNTOLD;
};
template <class T> struct at_host_pointed<T *> : at_host_element_of<T> {};
#define AT_HOST_ELEMENT(type, element) \
	template <> struct at_host_element_of<type> { \
		static constexpr uint32_t value = AT_HOST_ELEMENT_##element; \
	};
#define AT_HOST_KIND(type, kind) \
	template <> struct at_host_kind<type> { \
		static constexpr uint32_t value = AT_HOST_PARAMETER_##kind; \
	};
#define AT_HOST_NUMBER(type, kind, element) \
	AT_HOST_KIND(type, kind) AT_HOST_ELEMENT(type, element)
AT_HOST_KIND(char, INTEGER)
AT_HOST_KIND(wchar_t, INTEGER)
AT_HOST_KIND(char16_t, INTEGER)
AT_HOST_KIND(char32_t, INTEGER)
AT_HOST_NUMBER(bool, INTEGER, U8)
AT_HOST_NUMBER(signed char, INTEGER, I8)
AT_HOST_NUMBER(unsigned char, INTEGER, U8)
AT_HOST_NUMBER(short, INTEGER, I16)
AT_HOST_NUMBER(unsigned short, INTEGER, U16)
AT_HOST_NUMBER(int, INTEGER, I32)
AT_HOST_NUMBER(unsigned, INTEGER, U32)
AT_HOST_NUMBER(long, INTEGER, I64)
AT_HOST_NUMBER(unsigned long, INTEGER, U64)
AT_HOST_NUMBER(long long, INTEGER, I64)
AT_HOST_NUMBER(unsigned long long, INTEGER, U64)
AT_HOST_NUMBER(float, REAL, F32)
AT_HOST_NUMBER(double, REAL, F64)

template <unsigned N> struct at_host_signature {
	uint32_t count;
	/* one more: there is no array of none */
	at_host_parameter parameters[N + 1];
};

template <auto Kernel> struct at_host_launch;
template <class... P, void (*Kernel)(P...)> struct at_host_launch<Kernel> {
	static constexpr unsigned at_parameters = sizeof...(P);
	static constexpr at_host_signature<sizeof...(P)> at_signature = { sizeof...(P),
		{ { at_host_kind<P>::value, (uint32_t)sizeof(P),
			  at_host_pointed<P>::value }...,
			{ 0, 0, 0 } } };

	static void at_threads(at_host_context *self, P... arguments)
	{
		while (at_host_start_thread(self))
			Kernel(arguments...);
	}
	template <unsigned... I>
	static void at_unpack(at_host_context *self, const at_host_value *values,
		at_host_count_up<0, I...>)
	{
		at_threads(self, at_host_argument<P>(values + I)...);
	}
	static void at_run(at_host_context *self, const at_host_value *values)
	{
		at_unpack(self, values, at_host_count_up<sizeof...(P)>());
	}
};

/* What mangled names tell of a kernel's parameters, and which symbol is which variable;
   also broken names. Those of the tables are NVRTC's, gcc's and clang's. */
#include "kernel/cubin.h"
#include "kernel/variables.h"

#include "suite.h"

#include "base/memory.h"

/* "p:int" a pointer to int, "c" a pointer to const, "i" an integer, "w" what a cubin
   and PTX leave open. */
static const struct {
	const char *symbol;
	size_t count; /* of the parameters that the kernel has */
	const char *told;
} kernels[] = {
	{ "_Z5twicePKiPii", 3, "c:int p:int i" },
	{ "_Z5twiceIiEvPKT_PS0_i", 3, "c:int p:int i" },
	{ "_Z3rowILi64EEvPKfPfi", 3, "c:float p:float i" },
	{ "_Z2stIfEvPKT_PS0_", 2, "c:float p:float" },
	{ "_Z6scaledIdfEvPKT_PT0_S0_m", 4, "c:double p:float w i" },
	{ "_ZN2ns2nnIxEEvPKT_PS1_P2trIS1_EPKS3_", 4, "c:long long p:long long p c" },
	{ "_ZN2ns2nnI6__halfEEvPKT_PS2_P2trIS2_EPKS4_", 4, "c:half p:half p c" },
	{ "_ZN2ns2nnI3pixEEvPKT_PS2_P2trIS2_EPKS4_", 4, "c p p c" },
	{ "_ZN36_GLOBAL__N__00000000_4_t_cu_c7fb77922anIiEEvPKT_PS1_", 2,
		"c:int p:int" },
	/* a type that is computed, an array, a vector, a pointer to a
	   template's class, void and bytes */
	{ "_Z2twIiLi3ELb1EJfiEEvPKT_PN2trIS0_E4typeEPA4_S1_S0_P6float4PK6__halfPS4_PKS3_IS4_EPvhDpT2_",
		12, "c:int p p i p c:half p c p i w i" },
	{ "_Z2plPKiPxiPK6float4mPViPKPiPbPmPFviEP3pix", 11,
		"c:int p:long long i c i p:int c p:unsigned char p:unsigned long long p p" },
	/* a pointer to a member is no address; commas in brackets */
	{ "_Z4memsM1AiP1BIiiEPFviiE", 3, "w p p" },
	{ "_Z5bytesPKcPvPaPh", 4, "c p p:char p:unsigned char" },
	{ "_Z4noneIiEvv", 0, "" },
	/* C's linkage, and what is not read */
	{ "twice", 3, "w w w" },
	{ "_ZZ1avE1b", 1, "w" },
	{ "_Z5twicePKiPii", 2, "w w" },
	{ "_Z5twicePKiPii", 4, "w w w w" },
	{ "_Z5twiceIiEvPKT", 2, "w w" },
	{ "_Z5twiceIiEvPKS9_", 1, "w" },
	{ "_Z99twicePKi", 1, "w" },
	{ "_Z", 1, "w" },
	{ "", 1, "w" },
	{ "_Z1kPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPi", 1, "p" },
};

TEST(names_tell_the_types_of_parameters)
{
	static const char letters[AT_PARAMETER_KIND_COUNT + 1] = "-pirwoc";

	for (size_t i = 0; i < AT_COUNT_OF(kernels); i++) {
		struct at_kernel_parameter parameters[16] = { { .bytes = 0 } };
		struct at_kernel_facts facts = { .symbol = (char *)kernels[i].symbol,
			.has_parameters = true,
			.parameter_count = kernels[i].count,
			.parameters = parameters };
		char text[256] = "";
		size_t length = 0;

		for (size_t j = 0; j < kernels[i].count; j++) {
			parameters[j].kind = AT_PARAMETER_WORD;
			parameters[j].bytes = 8;
		}
		at_cubin_name_parameters(&facts);
		for (size_t j = 0; j < kernels[i].count; j++)
			length += (size_t)snprintf(text + length, sizeof(text) - length,
				"%s%c%s%s", j ? " " : "", letters[parameters[j].kind],
				parameters[j].element ? ":" : "",
				parameters[j].element
					? at_element_name(parameters[j].element)
					: "");
		if (strcmp(text, kernels[i].told) != 0)
			fail_msg("%s: %s\nexpected: %s", kernels[i].symbol, text,
				kernels[i].told);
	}
}

TEST(variables_are_found_by_their_names)
{
	static const char *const symbols[] = { "table", "_ZL5local",
		"_ZN4blur7weightsE", "_ZN5sharp7weightsE", "_ZN5sharp5tableE",
		"_ZN4blur4deepL1kE", "_ZN12_GLOBAL__N_15innerE",
		"_ZN39_INTERNAL_00000000_4_t_cu_89e0b91f_47034blur41_GLOBAL__N__00000000_4_t_cu_89e0b91f_47032anE",
		"_ZZ4calliE5calls", "_Z2tvIfE", "_ZN4blur3", "_Z9e", "_Z" };
	static const struct {
		const char *name;
		size_t index;
	} rows[] = {
		{ "table", 0 },
		{ "local", 1 },
		{ "blur::weights", 2 },
		{ "sharp::weights", 3 },
		{ "sharp::table", 4 },
		{ "k", 5 },
		{ "deep::k", 5 },
		{ "blur::deep::k", 5 },
		{ "inner", 6 },
		{ "an", 7 },
		{ "blur::an", 7 },
		/* of two namespaces, of none, a part of a word, of a function */
		{ "weights", AT_NO_VARIABLE },
		{ "blur::table", AT_NO_VARIABLE },
		{ "able", AT_NO_VARIABLE },
		{ "lur::weights", AT_NO_VARIABLE },
		{ "blur::k", AT_NO_VARIABLE },
		{ "calls", AT_NO_VARIABLE },
		{ "absent", AT_NO_VARIABLE },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++)
		if (at_variable_find((char *const *)symbols, AT_COUNT_OF(symbols),
			    rows[i].name) != rows[i].index)
			fail_msg("%s", rows[i].name);
}

TEST(images_of_other_kinds_have_no_variables)
{
	static const unsigned char text[128] = "\177ELF\002\001\001 cut short";
	struct at_image_variables found = { 0 };

	for (size_t size = 0; size <= sizeof(text); size += 16) {
		at_image_variables_read(text, size, &found);
		assert_int_equal(found.count, 0);
		at_image_variables_release(&found);
	}
}

RUN_SUITE(NULL, NULL)

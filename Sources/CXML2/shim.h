#ifndef DOCENT_CXML2_SHIM_H
#define DOCENT_CXML2_SHIM_H

#include <libxml/xmlversion.h>
// Otherwise libxml2 includes the system's ICU, and a module that also imports Foundation, which has its own, may not
// compile. Nothing that is used here depends on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

// Only the parser events of libxml2: no tree, no entities, no files, no network.

typedef void (*cxml2_start_function)(void *context, const char *name, const char *space);
typedef void (*cxml2_end_function)(void *context);
typedef void (*cxml2_text_function)(void *context, const char *bytes, int count);
typedef void (*cxml2_doctype_function)(void *context);

struct cxml2_events {
    cxml2_start_function start;
    cxml2_end_function end;
    cxml2_text_function text;
    cxml2_doctype_function doctype;
    void *context;
};

static inline void cxml2_on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                                  int namespaces, const xmlChar **declared, int attributes, int defaulted,
                                  const xmlChar **values) {
    struct cxml2_events *events = (struct cxml2_events *)user;
    (void)prefix, (void)namespaces, (void)declared, (void)attributes, (void)defaulted, (void)values;
    events->start(events->context, (const char *)name, (const char *)space);
}

static inline void cxml2_on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
    struct cxml2_events *events = (struct cxml2_events *)user;
    (void)name, (void)prefix, (void)space;
    events->end(events->context);
}

static inline void cxml2_on_text(void *user, const xmlChar *bytes, int count) {
    struct cxml2_events *events = (struct cxml2_events *)user;
    events->text(events->context, (const char *)bytes, count);
}

static inline void cxml2_on_doctype(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    struct cxml2_events *events = (struct cxml2_events *)user;
    (void)name, (void)external, (void)system;
    events->doctype(events->context);
}

/// A parser that takes the text in pieces and calls `events`, which must outlive it. NULL if there is no memory.
static inline xmlParserCtxtPtr cxml2_parser_new(struct cxml2_events *events) {
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = cxml2_on_start;
    handler.endElementNs = cxml2_on_end;
    handler.characters = cxml2_on_text;
    handler.ignorableWhitespace = cxml2_on_text;
    handler.cdataBlock = cxml2_on_text;
    handler.internalSubset = cxml2_on_doctype;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, events, NULL, 0, NULL);
    if (parser != NULL) {
        // Without XML_PARSE_HUGE libxml2 keeps its own limits. Without NOENT and DTDLOAD nothing is expanded.
        xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    }
    return parser;
}

/// Zero, or libxml2's error code.
static inline int cxml2_parser_feed(xmlParserCtxtPtr parser, const char *bytes, int count, int isLast) {
    int code = xmlParseChunk(parser, bytes, count, isLast);
    return code == XML_NS_ERR_XML_NAMESPACE || code == XML_WAR_NS_URI || code == XML_WAR_NS_URI_RELATIVE ? 0 : code;
}

static inline void cxml2_parser_free(xmlParserCtxtPtr parser) {
    xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
    xmlFreeParserCtxt(parser);
}

#endif
